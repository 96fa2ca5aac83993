import { type ReactNode, useState } from 'react';
import { common } from '../texts/common.ts';
import { Problem, useAction } from './action.tsx';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialogs.tsx';
import { refresh } from './queries.ts';

interface ActionProps {
  run(): unknown;
  kind?: ButtonKind;
  disabled?: boolean;
  /** Shown when it has succeeded. */
  done?: string;
  /** In place of the usual text about an error. */
  problem?(error: unknown): ReactNode;
  children: ReactNode;
}

/** A button that runs an action, and shows its progress and its error. */
export function ActionButton({ run, done, problem, ...button }: ActionProps) {
  const action = useAction();
  return (
    <>
      <Problem error={action.error} problem={problem} />
      <Button {...button} isBusy={action.isBusy} onClick={() => action.run(run)} />
      {done === undefined ? null : <span role="status">{action.isDone ? done : ''}</span>}
    </>
  );
}

/** A question in the words of one catalogue; `action` is on the button that opens it. */
interface ConfirmTexts {
  action: string;
  title: string;
  /** What will happen, and whether it can be undone. */
  text?: string;
  confirm: string;
}

interface ConfirmProps {
  texts: ConfirmTexts;
  /** The subject of the question: `about` comes before the text, `children` after it. */
  about?: ReactNode;
  children?: ReactNode;
  kind?: ButtonKind;
  disabled?: boolean;
  run(): Promise<unknown>;
  /** The queries that are read again afterwards. */
  refreshes?: readonly string[];
}

/**
 * A button that requires a confirmation, shows progress, and stays open with the reason when the service returns an
 * error.
 */
export function ConfirmButton({
  texts,
  about,
  children,
  kind = 'danger',
  disabled = false,
  run,
  refreshes,
}: ConfirmProps) {
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
      <Button kind={kind} disabled={disabled} onClick={() => setOpen(true)}>
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
