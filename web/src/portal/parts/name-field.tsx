import { nameFault } from '@payassent/protocol';
import { shellTexts } from '../../texts/portal/shell.ts';
import { fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';

interface NameFieldProps {
  label: string;
  hint?: string;
  /** Of the last attempt. */
  refused: unknown;
  value: string;
  onChange(name: string): void;
  autoComplete?: string;
}

/** For the name of a merchant, agent or payee: says while it is typed what the service would not accept. */
export function NameField({ refused, value, onChange, ...field }: NameFieldProps) {
  const fault = nameFault(value);
  // A blank one is what `required` is about.
  const problem = fault === undefined || fault === 'blank' ? undefined : shellTexts.nameFaults[fault];
  return (
    <TextField
      {...field}
      ref={(input) => input?.setCustomValidity(problem ?? '')}
      error={problem ?? fieldError(refused, 'name')}
      maxLength={200}
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
