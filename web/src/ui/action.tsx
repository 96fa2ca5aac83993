import { type ReactNode, useCallback, useState } from 'react';
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

/** Nothing as long as there is no error. */
export function Problem({
  error,
  problem,
}: {
  error: unknown;
  problem?: ((error: unknown) => ReactNode) | undefined;
}) {
  if (error === undefined || error === null) return null;
  return problem?.(error) ?? <ErrorNote error={error} />;
}
