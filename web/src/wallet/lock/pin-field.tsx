import type { Ref } from 'react';
import { TextField } from '../../ui/fields.tsx';
import { LONGEST_PIN } from './pin.ts';

interface PinFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onChange(pin: string): void;
  ref?: Ref<HTMLInputElement>;
}

/** Digits, drawn as dots. No field for passwords: a PIN belongs into no password manager. */
export function PinField({ onChange, ...props }: PinFieldProps) {
  return (
    <TextField
      {...props}
      className="input input-pin"
      type="text"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={LONGEST_PIN}
      data-1p-ignore=""
      data-bwignore=""
      data-lpignore="true"
      onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
    />
  );
}
