import { CopyButton } from '../../ui/copy-button.tsx';

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
