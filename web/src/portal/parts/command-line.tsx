import { CopyButton } from '../../ui/copy-button.tsx';

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
