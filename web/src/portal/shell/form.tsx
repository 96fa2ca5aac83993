import { isApiError } from '@payassent/sdk';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { shellTexts } from '../../texts/portal/shell.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';

interface FormProps {
  /** What the service said about the last attempt. */
  error: unknown;
  /** Names of the fields that show their own problems. */
  fields: readonly string[];
  onSubmit(): void;
  children: ReactNode;
  /** Buttons, below what is to say about the whole form. */
  actions: ReactNode;
}

/** A form whose first refused field gets the focus, and which hides no problem that has no field here. */
export function Form({ error, fields, onSubmit, children, actions }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} className="form" onSubmit={submit}>
      {children}
      <FormProblem error={error} fields={fields} />
      <div className="row">{actions}</div>
    </form>
  );
}

function FormProblem({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (!error) return null;
  const isShownByFields =
    isApiError(error) && error.issues.length > 0 && error.issues.every(({ field }) => fields.includes(field));
  return isShownByFields ? <Note kind="bad">{shellTexts.fixFields}</Note> : <ErrorNote error={error} />;
}
