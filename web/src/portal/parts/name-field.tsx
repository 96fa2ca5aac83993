import { nameFault } from '@payassent/protocol';
import { shellTexts } from '../../texts/portal/shell.ts';
import { TextField } from '../../ui/fields.tsx';

interface NameFieldProps {
  label: string;
  hint?: string;
  value: string;
  onValue(name: string): void;
  autoComplete?: string;
}

/** For the name of a merchant, agent or payee: shows during typing what the service would reject. */
export function NameField(field: NameFieldProps) {
  const fault = nameFault(field.value);
  // `required` covers a blank one.
  const problem = fault === undefined || fault === 'blank' ? undefined : shellTexts.nameFaults[fault];
  return (
    <TextField
      {...field}
      ref={(input) => input?.setCustomValidity(problem ?? '')}
      error={problem}
      name="name"
      maxLength={200}
      required
    />
  );
}
