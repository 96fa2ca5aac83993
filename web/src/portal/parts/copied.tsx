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
