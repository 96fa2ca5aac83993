import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { common } from '../texts/common.ts';
import { Problem, useAction } from './action.tsx';
import { Button, type ButtonKind } from './button.tsx';
import { refresh } from './queries.ts';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  /** Over the middle of the page, or along its edge, where it has the height of the window. */
  place?: 'middle' | 'side';
  /** Beside the title. */
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
  // Closed by what happens to the state, so that the page is there again before the focus goes back to it.
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const press = ({ target }: MouseEvent) => {
    pressed.current = target;
  };
  // Pressed and released beside the box; text that is selected across its edge must not close it.
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

/** A question in the words of one catalogue; `action` is on the button that opens it. */
export interface ConfirmTexts {
  action: string;
  title: string;
  /** What will happen, and whether it can be undone. */
  text?: string;
  confirm: string;
}

interface ConfirmProps {
  texts: ConfirmTexts;
  /** Whom or what it is about: stands before the text; `children` after it. */
  about?: ReactNode;
  children?: ReactNode;
  kind?: ButtonKind;
  run(): Promise<unknown>;
  /** What is read again after it. */
  refreshes?: readonly string[];
}

/** A button that asks first, shows progress, and stays open with the reason when the service refuses. */
export function ConfirmButton({ texts, about, children, kind = 'danger', run, refreshes }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const { isBusy, error, run: act, forget } = useAction();
  const close = () => {
    setOpen(false);
    forget();
  };
  const confirm = async () => {
    const isDone = await act(async () => {
      await run();
      if (refreshes !== undefined) await refresh(...refreshes);
    });
    if (isDone) close();
  };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {texts.action}
      </Button>
      <Dialog title={texts.title} isOpen={isOpen} onClose={close}>
        <div className="stack-tight">
          {about}
          {texts.text === undefined ? null : <p>{texts.text}</p>}
          {children}
        </div>
        <Problem error={error} />
        <div className="row">
          <Button kind={kind === 'plain' ? 'main' : kind} isBusy={isBusy} onClick={confirm}>
            {texts.confirm}
          </Button>
          <Button onClick={close}>{common.cancel}</Button>
        </div>
      </Dialog>
    </>
  );
}
