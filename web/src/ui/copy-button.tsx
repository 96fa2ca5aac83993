import { useState } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

export function CopyButton({ value, name }: { value: string; name: string }) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
    setTimeout(() => setOutcome('none'), SHOWN_MS);
  };
  return (
    <span className="row">
      <Button kind="plain" onClick={copy} aria-label={common.copy.label(name)}>
        {common.copy.action}
      </Button>
      <span role="status" className="soft">
        {outcome === 'none' ? '' : common.copy[outcome]}
      </span>
    </span>
  );
}

/** A secret that is shown once: to copy now, gone when the page is left. */
export function ShownOnce({ value, name }: { value: string; name: string }) {
  return (
    <div className="note stack-tight" data-kind="warn">
      <strong>{common.copy.shownOnce(name)}</strong>
      <code className="mono">{value}</code>
      <CopyButton value={value} name={name} />
    </div>
  );
}
