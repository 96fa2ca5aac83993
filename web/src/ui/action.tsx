import { type ReactNode, useCallback, useState } from 'react';
import { ErrorNote } from './error-note.tsx';

/** An action that takes a while and may fail, with its progress and its error. */
export function useAction() {
  const [state, setState] = useState<{ isBusy: boolean; isDone?: boolean; error?: unknown }>({
    isBusy: false,
  });
  /** False: it failed, and `error` holds the reason. */
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

/** Renders nothing without an error. */
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
