import type { Device } from '@payassent/sdk';
import { useState } from 'react';
import { decisionKeys } from '../../texts/wallet.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/notes.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { ScanButton } from '../connect/scan-button.tsx';
import { guard } from '../lock/guard.ts';
import { useSession } from '../session/session.tsx';
import { deviceAsking, endorse } from './decision-keys.ts';
import { useDecisionKey } from './queries.ts';

const texts = decisionKeys.endorse;

/** This device endorses the key of another one: with a signature, not with a click that the service reports. */
export function EndorseDevice({ devices }: { devices: readonly Device[] }) {
  const { client, device } = useSession();
  const held = useDecisionKey().data?.held;
  const [request, setRequest] = useState<string>();
  const [answer, setAnswer] = useState<string>();
  const { isBusy, error, run } = useAction();
  const others = devices.filter(({ device_id }) => device_id !== device.deviceId);
  if (held === undefined || others.length === 0) return null;
  const deviceOf = (text: string) => others.find(({ device_id }) => device_id === deviceAsking(text));
  const asking = request === undefined ? undefined : deviceOf(request);
  const confirm = async (text: string) => {
    if (!(await guard('endorse'))) return;
    await run(async () => setAnswer(await endorse({ client, deviceId: device.deviceId }, held, text)));
  };
  return (
    <section className="card stack" aria-labelledby="endorse-title">
      <h2 id="endorse-title">{texts.title}</h2>
      <p>{texts.how}</p>
      <CodeForm
        label={texts.field}
        action={texts.title}
        problemOf={(text) => (deviceOf(text) === undefined ? texts.unknown : undefined)}
        onCode={(text) => {
          setRequest(text);
          setAnswer(undefined);
        }}
      />
      {request === undefined || asking === undefined ? null : (
        <Note kind="warn">
          <span>{texts.question}</span>
          <strong>
            <ForeignText inline>{asking.name}</ForeignText>
          </strong>
          <Button kind="main" isBusy={isBusy} onClick={() => confirm(request)}>
            {texts.action}
          </Button>
        </Note>
      )}
      <Problem error={error} />
      {answer === undefined ? null : (
        <>
          <p>{texts.answer}</p>
          <ShownText value={answer} name={texts.name} qr={texts.qr} />
        </>
      )}
    </section>
  );
}

/** A text that another device has to read. */
export function ShownText({ value, name, qr }: { value: string; name: string; qr: string }) {
  return (
    <div className="stack-tight">
      <QrCode value={value} label={qr} />
      <code className="mono">{value}</code>
      <CopyButton value={value} name={name} />
    </div>
  );
}

interface CodeFormProps {
  label: string;
  hint?: string;
  action: string;
  problemOf(text: string): string | undefined;
  onCode(text: string): unknown;
}

/** A text that another device shows: scanned or pasted. */
export function CodeForm({ label, hint, action, problemOf, onCode }: CodeFormProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    const found = problemOf(typed.trim());
    setProblem(found);
    return found === undefined ? onCode(typed.trim()) : undefined;
  };
  return (
    <Form className="stack-tight" kind="usual" action={action} run={submit}>
      <TextField
        label={label}
        hint={hint}
        error={problem}
        value={typed}
        spellCheck={false}
        onValue={setTyped}
      />
      <ScanButton accept={problemOf} onText={setTyped} />
    </Form>
  );
}
