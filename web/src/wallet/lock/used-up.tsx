import { lock } from '../../texts/wallet/lock.ts';
import { devices } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Note } from '../../ui/notes.tsx';
import { useSession } from '../session/session.tsx';

const texts = lock.usedUp;

/** The service keeps the device: the one that is enrolled in its place can sign it out. */
export function UsedUp() {
  const session = useSession();
  return (
    <Note kind="bad">
      <strong>{texts.title}</strong>
      <span>{texts.text}</span>
      <div>
        <ConfirmButton
          label={texts.action}
          title={texts.question}
          confirmLabel={texts.confirm}
          run={session.forget}
        >
          <p>{devices.remove.self}</p>
        </ConfirmButton>
      </div>
    </Note>
  );
}
