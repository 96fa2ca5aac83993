import { shell } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { useSession } from './session.tsx';

export function DeviceGone() {
  const session = useSession();
  return (
    <Page title={shell.gone.title}>
      <Note kind="warn">{shell.gone.text}</Note>
      <div>
        <Button kind="main" onClick={() => session.forget()}>
          {shell.gone.action}
        </Button>
      </div>
    </Page>
  );
}
