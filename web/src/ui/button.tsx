import { type ComponentProps, useState } from 'react';
import { common } from '../texts/common.ts';

export type ButtonKind = 'main' | 'usual' | 'danger' | 'plain';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: 'usual' | 'large';
  /**
   * While an action runs: the label stays, the button cannot be pressed again, and assistive technology is notified.
   */
  isBusy?: boolean;
}

export function Button({ kind = 'usual', size = 'usual', isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className="button"
      data-kind={kind}
      data-size={size}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {isBusy ? <span className="progress" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

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

/** A value to be entered elsewhere, with the button that copies it. */
export function Copied({ name, value }: { name: string; value: string }) {
  return (
    <span className="row">
      <code>{value}</code>
      <CopyButton value={value} name={name} />
    </span>
  );
}

/** A command to copy into a terminal. */
export function CommandLine({ name, children }: { name: string; children: string }) {
  return (
    <div className="stack-tight">
      <code className="mono" data-command={name}>
        {children}
      </code>
      <CopyButton value={children} name={name} />
    </div>
  );
}
