import { lists } from '../../texts/portal/status.ts';
import { SelectField } from '../../ui/fields.tsx';
import { statusWord } from './status-badge.tsx';

/** One status, or every one (undefined). */
export function StatusFilter<Status extends string>({
  label,
  statuses,
  value,
  onChange,
}: {
  label: string;
  statuses: readonly Status[];
  value: NoInfer<Status> | undefined;
  onChange(status: NoInfer<Status> | undefined): void;
}) {
  const choices = [
    { value: '', label: lists.anyStatus },
    ...statuses.map((status) => ({ value: status, label: statusWord(status) })),
  ];
  return (
    <div className="filter">
      <SelectField
        label={label}
        choices={choices}
        value={value ?? ''}
        onChange={(event) => onChange(statuses.find((status) => status === event.currentTarget.value))}
      />
    </div>
  );
}
