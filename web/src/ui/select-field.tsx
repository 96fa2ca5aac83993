import { type Control, Frame } from './fields.tsx';

export function TextAreaField({ label, hint, error, name, onValue, ...input }: Control<'textarea', string>) {
  return (
    <Frame frame={{ label, hint, error, name }}>
      {(tied) => (
        <textarea
          {...input}
          {...tied}
          className="input"
          onChange={(event) => onValue?.(event.target.value)}
        />
      )}
    </Frame>
  );
}

interface Choice<Value> {
  value: Value;
  label: string;
}

type Choices<Value extends string> = readonly Choice<Value>[] | Readonly<Record<Value, string>>;

export function SelectField<Value extends string>({
  label,
  hint,
  error,
  name,
  choices,
  onValue,
  ...select
}: Control<'select', NoInfer<Value>> & { choices: Choices<Value> }) {
  const listed = Array.isArray(choices)
    ? (choices as readonly Choice<Value>[])
    : Object.entries<string>(choices as Readonly<Record<Value, string>>).map(([value, words]) => ({
        value: value as Value,
        label: words,
      }));
  return (
    <Frame frame={{ label, hint, error, name }}>
      {(tied) => (
        <select
          {...select}
          {...tied}
          className="input"
          onChange={({ target }) => onValue?.(target.value as Value)}
        >
          {listed.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}
