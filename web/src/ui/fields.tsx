import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldFrame {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** Label, hint and error around one control, tied together for those who cannot see that they stand together. */
function Frame({
  frame,
  children,
}: {
  frame: FieldFrame;
  children: (tied: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}) {
  const id = useId();
  const described = [frame.hint ? `${id}-hint` : '', frame.error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{frame.label}</label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': frame.error !== undefined,
      })}
      {frame.hint ? (
        <span className="field-hint" id={`${id}-hint`}>
          {frame.hint}
        </span>
      ) : null}
      {frame.error ? (
        <span className="field-error" id={`${id}-error`}>
          {frame.error}
        </span>
      ) : null}
    </div>
  );
}

export function TextField({ label, hint, error, ...input }: FieldFrame & ComponentProps<'input'>) {
  return (
    <Frame frame={{ label, hint, error }}>
      {(tied) => <input autoComplete="off" className="input" {...input} {...tied} />}
    </Frame>
  );
}

export function TextAreaField({ label, hint, error, ...input }: FieldFrame & ComponentProps<'textarea'>) {
  return (
    <Frame frame={{ label, hint, error }}>
      {(tied) => <textarea {...input} {...tied} className="input" />}
    </Frame>
  );
}

interface Choice {
  value: string;
  label: string;
}

export function SelectField({
  label,
  hint,
  error,
  choices,
  ...select
}: FieldFrame & ComponentProps<'select'> & { choices: readonly Choice[] }) {
  return (
    <Frame frame={{ label, hint, error }}>
      {(tied) => (
        <select {...select} {...tied} className="input">
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

export function CheckboxField({ label, hint, ...input }: FieldFrame & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="field">
      <span className="row">
        <input {...input} type="checkbox" id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
        <label htmlFor={id}>{label}</label>
      </span>
      {hint ? (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  );
}
