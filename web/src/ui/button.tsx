import type { ComponentProps } from 'react';

export type ButtonKind = 'main' | 'usual' | 'danger' | 'plain';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: 'usual' | 'large';
  /** While something is under way: the label stays, the button cannot be pressed again and says so. */
  isBusy?: boolean;
}

export function Button({ kind = 'usual', size = 'usual', isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className="button"
      data-kind={kind}
      data-size={size}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {isBusy ? <span className="progress" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
