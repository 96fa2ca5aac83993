import { type FormEvent, useState } from 'react';
import { enrol } from '../../texts/wallet.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Address } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useUnloadGuard } from '../../ui/unload-guard.ts';
import { recoveryKit } from './recovery-kit.ts';

const texts = enrol.kept;
const GROUP_LENGTH = 4;

interface RecoveryCodeProps {
  code: string;
  walletId: string;
  onKept(): void;
}

export function RecoveryCode({ code, walletId, onKept }: RecoveryCodeProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  useUnloadGuard();
  const prove = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === code.slice(-GROUP_LENGTH)) onKept();
    else setProblem(texts.proof.wrong);
  };
  const download = () =>
    saveFile('payassent-recovery-kit.html', recoveryKit({ code, walletId }), 'text/html;charset=utf-8');
  return (
    <Page title={texts.title}>
      <p>{texts.why}</p>
      <section className="kit stack" aria-label={texts.kit}>
        <code className="kit-code" data-secret="recovery-code">
          <Address>{code}</Address>
        </code>
        <p className="print-only">
          {location.origin}/wallet · {walletId}
        </p>
        <div className="row no-print">
          <CopyButton value={code} name={texts.name} />
          <Button onClick={download}>{texts.download}</Button>
          <Button onClick={() => print()}>{texts.print}</Button>
        </div>
      </section>
      <form className="stack no-print" onSubmit={prove} noValidate>
        <TextField
          label={texts.proof.label}
          hint={texts.proof.hint}
          error={problem}
          value={typed}
          spellCheck={false}
          autoCapitalize="none"
          className="input input-short mono"
          onChange={(event) => setTyped(event.target.value)}
        />
        <div>
          <Button type="submit" kind="main" size="large">
            {texts.action}
          </Button>
        </div>
      </form>
    </Page>
  );
}
