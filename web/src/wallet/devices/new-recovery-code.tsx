import { useState } from 'react';
import { devices } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy-button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { useWallet } from '../session/session.tsx';

const texts = devices.recovery;

export function NewRecoveryCode() {
  const client = useWallet();
  const [code, setCode] = useState<string>();
  const make = async () => setCode((await client.devices.createRecoveryCode()).recovery_code);
  return (
    <section className="card stack" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{texts.title}</h2>
      <p>{texts.how}</p>
      {code === undefined ? (
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
      ) : (
        <>
          <ShownOnce value={code} name={texts.name} />
          <div>
            <Button onClick={() => setCode(undefined)}>{texts.kept}</Button>
          </div>
        </>
      )}
    </section>
  );
}
