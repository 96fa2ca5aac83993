import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import { fieldError } from './error-note.tsx';

/** The error of the form's last attempt; each field shows the part about its name. */
export const FormError = createContext<unknown>(undefined);

interface FieldFrame {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  name?: string | undefined;
}

/** Label, hint and error around one control, linked for screen readers. */
export function Frame({
  frame: { label, hint, error, name },
  children,
}: {
  frame: FieldFrame;
  children: (tied: object) => ReactNode;
}) {
  const id = useId();
  const refused = use(FormError);
  const problem = error ?? (name === undefined ? undefined : fieldError(refused, name));
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        ...{ id, name },
        'aria-describedby': described || undefined,
        'aria-invalid': problem !== undefined,
      })}
      {hint ? (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {problem ? (
        <span className="field-error" id={`${id}-error`}>
          {problem}
        </span>
      ) : null}
    </div>
  );
}

export type Control<Tag extends 'input' | 'textarea' | 'select', Value> = FieldFrame &
  Omit<ComponentProps<Tag>, 'value'> & { value?: Value; onValue?(value: Value): void };

export function TextField({ label, hint, error, name, onValue, ...input }: Control<'input', string>) {
  return (
    <Frame frame={{ label, hint, error, name }}>
      {(tied) => (
        <input
          autoComplete="off"
          className="input"
          onChange={(event) => onValue?.(event.target.value)}
          {...input}
          {...tied}
        />
      )}
    </Frame>
  );
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  hint?: string;
  onValue(isChecked: boolean): void;
}

export function CheckboxField({ label, hint, onValue, ...input }: CheckboxProps) {
  const id = useId();
  return (
    <div className="field">
      <span className="row">
        <input
          {...input}
          type="checkbox"
          id={id}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onValue(event.target.checked)}
        />
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
