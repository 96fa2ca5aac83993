import { devices } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { useSession } from '../session/session.tsx';

const texts = devices.recovery;

export function NewRecoveryCode() {
  const { client, showRecoveryCode } = useSession();
  const make = async () => showRecoveryCode((await client.devices.createRecoveryCode()).recovery_code);
  return (
    <section className="card stack" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{texts.title}</h2>
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
