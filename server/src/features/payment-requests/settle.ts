import type { Act } from '../../act.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';
import { connectionTopic, walletTopic } from '../callers/topics.ts';
import { WEBHOOK_JOB } from '../webhooks/queue.ts';
import { EXPIRED, MOVED } from './counters.ts';
import { type Selection, type SettledRow, settlePending } from './settle-sql.ts';

/** Topics that a change of these requests touches. */
export function topicsOf(
  rows: readonly { connection_id: string; wallet_id: string; deliveries: number }[],
): string[] {
  const topics = new Set(
    rows.flatMap((row) => [connectionTopic(row.connection_id), walletTopic(row.wallet_id)]),
  );
  if (rows.some((row) => row.deliveries > 0)) topics.add(jobTopic(WEBHOOK_JOB));
  return [...topics];
}

/** Settles what is past its time, by whoever meets it: a read, a list, a poll, a report or the sweeper. */
export async function expireOverdue(
  db: Database,
  act: Act,
  selection: Exclude<Selection, { kind: 'revoked_connection' }>,
): Promise<SettledRow[]> {
  const rows = await settle(db, act, selection);
  tell(act, rows);
  return rows;
}

/**
 * Follows the revocation of a connection, in its transaction and after its row was locked: what still awaited a decision
 * is rejected. Signed and broadcasted requests stay as they are, because their outcome is not known.
 */
export async function rejectPendingOfConnection(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string; walletId: string },
): Promise<void> {
  const { merchantId, connectionId } = connection;
  const rows = await settle(tx, act, { kind: 'revoked_connection', merchantId, connectionId });
  tx.afterCommit(() => tell(act, rows));
}

function tell(act: Act, rows: readonly SettledRow[]): void {
  if (rows.length === 0) return;
  for (const to of ['expired', 'rejected'] as const) {
    const count = rows.filter((row) => row.status === to).length;
    if (count === 0) continue;
    act.count(MOVED, { from: 'pending', to }, count);
    if (to === 'expired') act.count(EXPIRED, {}, count);
  }
  act.announce(...topicsOf(rows));
}

function settle(sql: Sql, act: Act, selection: Selection): Promise<SettledRow[]> {
  return settlePending(sql, selection, { now: act.now, seed: act.newId('evt') });
}
