import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  /** In the middle of the window, or along its edge at full height. */
  place?: 'middle' | 'side';
  /** Next to the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The browser's own dialog: it keeps the focus inside, gives it back afterwards, and closes on Escape. */
export function Dialog({ isOpen, ...props }: DialogProps) {
  return isOpen ? createPortal(<OpenDialog {...props} />, document.body) : null;
}

function OpenDialog({ title, onClose, place = 'middle', actions, children }: Omit<DialogProps, 'isOpen'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    const page = document.getElementById('root');
    shown?.showModal();
    // The browser keeps clicks and focus out of the page behind; this keeps screen readers out.
    page?.setAttribute('aria-hidden', 'true');
    return () => {
      if (document.querySelectorAll('.dialog').length === 1) page?.removeAttribute('aria-hidden');
      shown?.close();
    };
  }, []);
  // Closed by the state alone, so that the page is no longer inert when the focus returns to it.
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const press = ({ target }: MouseEvent) => {
    pressed.current = target;
  };
  // Pressed and released outside the box; selecting text across its edge must not close it.
  const release = ({ target }: MouseEvent) => {
    if (target === dialog.current && pressed.current === target) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys have Escape.
    <dialog
      className="dialog"
      data-place={place}
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={cancel}
      onClose={onClose}
      onMouseDown={press}
      onClick={release}
    >
      <div className="dialog-box stack">
        <div className="row-between">
          <h2 id={titleId}>{title}</h2>
          {actions}
        </div>
        {children}
      </div>
    </dialog>
  );
}
