import type { ChainRow } from '../run/chain.ts';
import type { Attempt, FaultEntry, Reading } from '../run/history.ts';
import type { Receipt } from '../run/receivers.ts';
import type { Tables } from './tables.ts';

/** Everything that a judgement rests on, as plain data: a history made by hand is as good as one of a run. */
export interface Evidence {
  attempts: readonly Attempt[];
  faults: readonly FaultEntry[];
  receipts: readonly Receipt[];
  readings: readonly Reading[];
  /** Invariants that nothing was done about, each with the reason. */
  leftOut: Readonly<Record<string, string>>;
  /** What the chain has, as it was after the tables were read. */
  chain: readonly ChainRow[];
  tables: Tables;
}

/** The result of one invariant: how much it checked, and every violation. */
export interface Finding {
  checked: number;
  violations: string[];
}

export type Invariant = (evidence: Evidence) => Finding;

/** Collects violations while it checks. */
export function finding(): Finding & { expect(holds: boolean, otherwise: () => string): void } {
  const result = {
    checked: 0,
    violations: [] as string[],
    expect(holds: boolean, otherwise: () => string) {
      result.checked += 1;
      if (!holds) result.violations.push(otherwise());
    },
  };
  return result;
}

export function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

export function succeeded(attempt: Attempt): boolean {
  return attempt.answer !== undefined && attempt.answer.status < 300;
}

/** Payment requests and agent payments alike: what both are checked for. */
export function recordsOf({ payment_requests, agent_payments }: Tables) {
  return [
    ...payment_requests.map((row) => ({ ...row, kind: 'payment_request' as const, id: row.request_id })),
    ...agent_payments.map((row) => ({ ...row, kind: 'agent_payment' as const, id: row.agent_payment_id })),
  ];
}

export function eventsOf({ payment_request_events, agent_payment_events }: Tables) {
  return [
    ...payment_request_events.map((row) => ({
      ...row,
      kind: 'payment_request' as const,
      id: row.request_id,
    })),
    ...agent_payment_events.map((row) => ({
      ...row,
      kind: 'agent_payment' as const,
      id: row.agent_payment_id,
    })),
  ];
}

/** Ids are only unique within a connection. */
export const recordName = (row: { kind: string; connection_id: string; id: string }) =>
  `${row.kind} ${row.connection_id} ${row.id}`;

/** Everything is fixed from "calm" to the next disturbance; what was taken before has a moment to arrive. */
export function calmTimes(faults: readonly FaultEntry[], end: number, settleMs: number): [number, number][] {
  return faults.flatMap((fault, index): [number, number][] => {
    if (fault.kind !== 'calm') return [];
    const next = faults.slice(index + 1).find((later) => later.kind !== 'calm')?.at ?? end;
    const [from, to] = [fault.at + settleMs, Math.min(next, end)];
    return from < to ? [[from, to]] : [];
  });
}
