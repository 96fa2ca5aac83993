import { ChangePendingError, isApiError } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { devices } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Note } from '../../ui/notes.tsx';
import { NoPasskeyError } from '../../ui/passkey.ts';
import { useAuthorization } from '../decisions/queries.ts';
import { guard } from '../lock/guard.ts';
import { useSession } from '../session/session.tsx';
import { isCodeAwaited, setCodeAwaited } from '../storage/device-store.ts';

const texts = devices.recovery;
const RECOVERY = { act: 'recovery_code', deviceId: null, thumbprint: null } as const;

export function NewRecoveryCode() {
  const { client, showRecoveryCode } = useSession();
  const authorized = useAuthorization();
  const isLost = useQuery({ queryKey: ['awaited-recovery-code'], queryFn: isCodeAwaited }).data;
  /** No one sees a code that is made while the page closes: the next page says so. */
  const make = async () => {
    if (!(await guard('recovery'))) return;
    await setCodeAwaited(true);
    try {
      const { recovery_code } = await authorized(RECOVERY, (by) => client.devices.createRecoveryCode(by));
      await showRecoveryCode(recovery_code);
    } catch (error) {
      const isUnchanged = error instanceof ChangePendingError || error instanceof NoPasskeyError;
      if (isUnchanged || (isApiError(error) && error.httpStatus < 500)) await setCodeAwaited(false);
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
