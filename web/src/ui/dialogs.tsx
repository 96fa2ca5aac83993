import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common.ts';
import { Button, type ButtonKind } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="dialog stack">
          <Base.Title>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface ConfirmProps {
  /** On the button that opens the question. */
  label: string;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  confirmLabel: string;
  kind?: ButtonKind;
  run(): Promise<unknown>;
}

/** A button that asks first, shows progress, and stays open with the reason when the service refuses. */
export function ConfirmButton({ label, title, children, confirmLabel, kind = 'danger', run }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const close = () => {
    setOpen(false);
    setError(undefined);
  };
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      close();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        <div className="stack-tight">{children}</div>
        {error === undefined ? null : <ErrorNote error={error} />}
        <div className="row">
          <Button kind={kind === 'plain' ? 'main' : kind} isBusy={isBusy} onClick={confirm}>
            {confirmLabel}
          </Button>
          <Button onClick={close}>{common.cancel}</Button>
        </div>
      </Dialog>
    </>
  );
}
