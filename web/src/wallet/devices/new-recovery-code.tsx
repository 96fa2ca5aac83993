import { isApiError } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { devices } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Note } from '../../ui/notes.tsx';
import { guard } from '../lock/guard.ts';
import { useSession } from '../session/session.tsx';
import { isCodeAwaited, setCodeAwaited } from '../storage/device-store.ts';

const texts = devices.recovery;

export function NewRecoveryCode() {
  const { client, showRecoveryCode } = useSession();
  const isLost = useQuery({ queryKey: ['awaited-recovery-code'], queryFn: isCodeAwaited }).data;
  /** No one sees a code that is made while the page closes: the next page says so. */
  const make = async () => {
    if (!(await guard('recovery'))) return;
    await setCodeAwaited(true);
    try {
      await showRecoveryCode((await client.devices.createRecoveryCode()).recovery_code);
    } catch (error) {
      if (isApiError(error) && error.httpStatus < 500) await setCodeAwaited(false);
      throw error;
    }
  };
  return (
    <section className="card stack" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{texts.title}</h2>
      {isLost ? (
        <Note kind="warn">
          <strong>{texts.lost.title}</strong>
          <span>{texts.lost.text}</span>
        </Note>
      ) : null}
      <p>{texts.how}</p>
      <div>
        <ConfirmButton
          kind="usual"
          label={texts.action}
          title={texts.question}
          confirmLabel={texts.confirm}
          run={make}
        >
          <p>{texts.text}</p>
        </ConfirmButton>
      </div>
    </section>
  );
}
