import { type FormEvent, useState } from 'react';
import { Button, CopyButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { ScanButton } from '../connect/scan-button.tsx';

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
  isBusy: boolean;
  problemOf(text: string): string | undefined;
  onCode(text: string): unknown;
}

/** A text that another device shows: scanned or pasted. */
export function CodeForm({ label, hint, action, isBusy, problemOf, onCode }: CodeFormProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemOf(typed.trim());
    setProblem(found);
    if (found === undefined) onCode(typed.trim());
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      <TextField
        label={label}
        hint={hint}
        error={problem}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ScanButton accept={problemOf} onText={setTyped} />
      <div>
        <Button type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
