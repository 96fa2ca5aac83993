import type { Device } from '@payassent/sdk';
import encodeQr from 'qr';
import { useState } from 'react';
import { language, locale } from '../../texts/language.ts';
import { enrol } from '../../texts/wallet.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Address, Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, useUnloadGuard } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { tellOtherPages, useOtherPages } from '../session/other-pages.ts';
import { openClient } from '../session/session.tsx';
import { keepUnfinished, type StoredDevice, type Unfinished } from '../storage/device-store.ts';

interface FinishProps {
  device: StoredDevice;
  unfinished: Unfinished;
  reread(): Promise<void>;
}

/** The steps between a stored device and its wallet. They are shown after every reload until they are done. */
export function FinishEnrolment({ device, unfinished, reread }: FinishProps) {
  useOtherPages(reread);
  const { recoveryCode, others } = unfinished;
  const leave = async (rest: Unfinished) => {
    await keepUnfinished(rest);
    tellOtherPages();
    await reread();
  };
  if (recoveryCode !== undefined)
    return (
      <RecoveryCode
        code={recoveryCode}
        walletId={device.walletId}
        onKept={() => leave({ recoveryCode: undefined, others })}
      />
    );
  const done = () => leave({ recoveryCode: undefined, others: [] });
  // One after the other: each locks the wallet's row.
  const signOut = async () => {
    const client = openClient(device);
    for (const { device_id } of others) await client.devices.delete(device_id);
  };
  return <OtherDevices devices={others} signOut={signOut} onDone={done} />;
}

const texts = enrol.kept;
const GROUP_LENGTH = 4;

interface RecoveryCodeProps {
  code: string;
  walletId: string;
  onKept(): void;
}

function RecoveryCode({ code, walletId, onKept }: RecoveryCodeProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  useUnloadGuard();
  const prove = () => {
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
      <Form className="stack no-print" action={texts.action} size="large" run={prove} noValidate>
        <TextField
          label={texts.proof.label}
          hint={texts.proof.hint}
          error={problem}
          value={typed}
          spellCheck={false}
          autoCapitalize="none"
          className="input input-short mono"
          onValue={setTyped}
        />
      </Form>
    </Page>
  );
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#17202b}' +
  'code{display:block;padding:1rem;border:2px solid #1d4f91;border-radius:12px;font-size:1.15rem;word-spacing:.3em}' +
  'svg{width:12rem;margin:1rem 0}';

/** A page to keep or print that needs no other file. */
function recoveryKit({ code, walletId }: { code: string; walletId: string }): string {
  const groups = code.match(/.{1,4}/g)?.join(' ') ?? code;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date());
  return `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><title>${texts.kit}</title><style>${STYLE}</style>
<h1>${texts.kit}</h1>
<p>${texts.kitHow(`${location.origin}/wallet`)}</p>
<code>${groups}</code>
${encodeQr(code, 'svg')}
<p>${walletId} · ${date}</p>
<p>${texts.kitSecret}</p>
</html>
`;
}

interface OtherDevicesProps {
  devices: readonly Device[];
  signOut(): Promise<unknown>;
  onDone(): void;
}

/** After a recovery: other devices keep their access to the wallet unless the customer signs them out. */
function OtherDevices({ devices, signOut, onDone }: OtherDevicesProps) {
  const { isBusy, error, run } = useAction();
  const end = () =>
    run(async () => {
      await signOut();
      onDone();
    });
  return (
    <Page title={enrol.others.title}>
      <p>{enrol.others.why}</p>
      <ul className="stack-tight">
        {devices.map((device) => (
          <li key={device.device_id}>
            <ForeignText inline>{device.name}</ForeignText>, <Moment>{device.created_at}</Moment>
          </li>
        ))}
      </ul>
      <Problem error={error} />
      <div className="row">
        <Button kind="danger" size="large" isBusy={isBusy} onClick={end}>
          {enrol.others.signOut}
        </Button>
        <Button size="large" disabled={isBusy} onClick={onDone}>
          {enrol.others.keep}
        </Button>
      </div>
    </Page>
  );
}
