import type { PaymentRequest } from '@payassent/sdk';
import { useEffect, useRef, useState } from 'react';
import { refresh } from '../../ui/queries.ts';
import { startTest, type TestPayee, type TestRun } from './test-run.ts';

type TestState =
  | { step: 'ready' | 'starting'; error?: unknown }
  | { step: 'pairing'; code: string }
  | { step: 'asked'; request: PaymentRequest };

/** One test after the other. However it ends, and when the page is left, its key is revoked. */
export function useTestRun() {
  const [state, setState] = useState<TestState>({ step: 'ready' });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  const start = async (payee: TestPayee, amount: string) => {
    const { signal } = leaving.current;
    let run: TestRun | undefined;
    setState({ step: 'starting' });
    try {
      run = await startTest();
      setState({ step: 'pairing', code: run.code });
      setState({ step: 'asked', request: await run.ask(payee, amount, signal) });
      await refresh('setup');
    } catch (error) {
      if (!signal.aborted) setState({ step: 'ready', error });
    } finally {
      // The key expires within the hour if the service cannot be reached now.
      await run?.end().catch(() => undefined);
    }
  };
  return { state, start, again: () => setState({ step: 'ready' }) };
}
