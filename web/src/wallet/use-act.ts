import { useState } from 'react';

interface ActState {
  isBusy: boolean;
  /** Why the last one did not come to its end. */
  error: unknown;
  run(act: () => Promise<unknown>): Promise<void>;
}

/** Something that takes a while and may be refused: what is under way is seen, and so is what went wrong. */
export function useAct(): ActState {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
