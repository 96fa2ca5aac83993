import { isApiError } from '@payassent/sdk';
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { Problem, useAction } from './action.tsx';
import { Button, type ButtonKind } from './button.tsx';
import { FormError } from './fields.tsx';
import { Note } from './notes.tsx';

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'onSubmit'> {
  /** On the button. */
  action: string;
  /** On the button while it runs. */
  busy?: string;
  run(): unknown;
  /** Shown when it has succeeded. */
  done?: string;
  kind?: ButtonKind;
  size?: 'usual' | 'large';
  disabled?: boolean;
  /** An error from outside the form. */
  error?: unknown;
  /** In place of the usual text about an error. */
  problem?(error: unknown): ReactNode;
  /** Next to the button. */
  extra?: ReactNode;
}

/**
 * A form with its button. A field shows the part of the error about its name, the first invalid one gets the focus, and
 * a problem without a field here is shown as well.
 */
export function Form(props: FormProps) {
  const { action, busy = action, run, done, kind = 'main', size = 'usual', disabled = false } = props;
  const { error: given, problem, extra, children, className = 'form', ...rest } = props;
  const form = useRef<HTMLFormElement>(null);
  const state = useAction();
  const error = given ?? state.error;
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!state.isBusy) void state.run(run);
  };
  const isShownByFields =
    isApiError(error) &&
    error.issues.length > 0 &&
    error.issues.every(({ field }) => form.current?.elements.namedItem(field));
  return (
    <FormError value={error}>
      <form ref={form} className={className} onSubmit={submit} {...rest}>
        {children}
        {isShownByFields ? (
          <Note kind="bad">{common.errors.fixFields}</Note>
        ) : (
          <Problem error={error} problem={problem} />
        )}
        <div className="row">
          <Button type="submit" kind={kind} size={size} disabled={disabled} isBusy={state.isBusy}>
            {state.isBusy ? busy : action}
          </Button>
          {done === undefined ? null : <span role="status">{state.isDone ? done : ''}</span>}
          {extra}
        </div>
      </form>
    </FormError>
  );
}
