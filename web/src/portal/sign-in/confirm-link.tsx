import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page } from '../../ui/page.tsx';

const texts = signInTexts.confirm;

interface ConfirmLinkProps {
  confirm: { isPending: boolean; isError: boolean; error: unknown };
  onConfirm(): void;
}

/** Mail scanners open links: only a person presses the button, and only that uses the link up. */
export function ConfirmLink({ confirm, onConfirm }: ConfirmLinkProps) {
  return (
    <Page title={texts.title}>
      <p>{texts.lead}</p>
      <p>{texts.hint}</p>
      {confirm.isError ? <ErrorNote error={confirm.error} /> : null}
      <div>
        <Button kind="main" isBusy={confirm.isPending} onClick={onConfirm}>
          {texts.action}
        </Button>
      </div>
      <p className="soft">{texts.notYou}</p>
    </Page>
  );
}
