import type { Danger } from '@payassent/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { connectionsQuery } from '../connections/queries.ts';
import { usePayeeCheck } from '../log/payee-check.tsx';
import { serverNow } from '../session/server-clock.ts';
import { useWallet } from '../session/session.tsx';
import { paidPayees } from '../storage/paid-payees.ts';
import { dangersIn, type Imitation, isImitation, risksOf } from './comparisons.ts';
import { historyQuery } from './gateway.ts';
import type { Payment } from './payment.ts';

type CheckName = 'log' | 'history' | 'connections';

/** The checks before an approval, and their results so far. */
export interface Checks {
  /** An approval waits for these. */
  isWaiting: boolean;
  /** They failed or took too long: the customer sees which, and may decide. */
  missing: readonly CheckName[];
  /** Undefined while nothing is known. */
  history: readonly Payment[] | undefined;
  dangers: readonly Danger[];
  /** Resemblances to another payee who was paid before. */
  imitations: readonly Imitation[];
  hasDanger: boolean;
  /** The customer has accepted the dangers, apart from the approval. */
  isConfirmed: boolean;
  confirm(isConfirmed: boolean): void;
}

/** An approval waits no longer for a response that may never come. */
const LONGEST_WAIT_MS = 4_000;

export function useChecks(payment: Payment): Checks {
  const client = useWallet();
  const history = useQuery(historyQuery(client));
  const connections = useQuery(connectionsQuery(client));
  const log = usePayeeCheck(payment);
  const isLate = useLate();
  const [confirmed, setConfirmed] = useState<string>();
  // This device's own records count immediately, and when the service returns none.
  const kept = history.data ?? paidPayees.read();
  const dangers = dangersIn(payment, kept);
  // Another danger, or other details, need another confirmation.
  const imitations = risksOf(payment, kept, new Date(serverNow())).filter((risk) =>
    isImitation(risk, payment),
  );
  const what = JSON.stringify([payment.pinnedDigest, dangers, imitations]);
  const open = openChecks({
    log: payment.payee?.domain === undefined || log !== undefined ? 'done' : 'open',
    history: standOf(history),
    connections: standOf(connections),
  });
  return {
    isWaiting: !isLate && open.some(([, stand]) => stand === 'open'),
    missing: open.filter(([, stand]) => isLate || stand === 'failed').map(([name]) => name),
    history: history.data === undefined && kept.length === 0 ? undefined : kept,
    dangers,
    imitations,
    hasDanger: dangers.length + imitations.length > 0,
    isConfirmed: confirmed === what,
    confirm: (isConfirmed) => setConfirmed(isConfirmed ? what : undefined),
  };
}

type Stand = 'done' | 'open' | 'failed';

function standOf({ data, isError }: { data: unknown; isError: boolean }): Stand {
  if (data !== undefined) return 'done';
  return isError ? 'failed' : 'open';
}

function openChecks(stands: Record<CheckName, Stand>): [CheckName, Stand][] {
  return (Object.entries(stands) as [CheckName, Stand][]).filter(([, stand]) => stand !== 'done');
}

function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}
