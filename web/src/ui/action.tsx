import { type ReactNode, useCallback, useState } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

/** Something that takes a while and may be refused: what is under way is seen, and so is what came of it. */
export function useAction() {
  const [state, setState] = useState<{ isBusy: boolean; isDone?: boolean; error?: unknown }>({
    isBusy: false,
  });
  /** False: it did not come to its end, and `error` says why. */
  const run = useCallback(async (act: () => unknown): Promise<boolean> => {
    setState({ isBusy: true });
    try {
      await act();
      setState({ isBusy: false, isDone: true });
      return true;
    } catch (error) {
      setState({ isBusy: false, error });
      return false;
    }
  }, []);
  const forget = () => setState({ isBusy: false });
  return { ...state, run, forget };
}

interface ActionProps {
  run(): unknown;
  kind?: ButtonKind;
  disabled?: boolean;
  /** Said when it is done. */
  done?: string;
  /** In place of the usual words about an error. */
  problem?(error: unknown): ReactNode;
  children: ReactNode;
}

/** A button that runs something, shows its progress, and says why it did not come to its end. */
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

/** Nothing as long as there is no error. */
export function Problem({ error, problem }: { error: unknown; problem?: ActionProps['problem'] }) {
  if (error === undefined || error === null) return null;
  return problem?.(error) ?? <ErrorNote error={error} />;
}
