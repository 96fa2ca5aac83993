import type { Act } from '../../act.ts';
import type { Database, Tx } from '../../db/open.ts';
import { connectionTopic, walletTopic } from '../../features/callers/topics.ts';
import { WEBHOOK_JOB } from '../../features/webhooks/queue.ts';
import { jobTopic } from '../../jobs/job.ts';
import { statementsOf } from '../../storage/index.ts';
import { EXPIRED, MOVED } from '../counters.ts';
import {
  type ClosedRow,
  hasPendingOfConnection,
  hasPendingOfRecall,
  type RequestName,
  type RequestSelection,
} from './close-sql.ts';
import type { Recall } from './when-ended.ts';

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

/** Closes what has ended. Called by whatever finds it first: a read, a list, a poll, a report or a job. */
export async function closeEnded(db: Database, act: Act, selection: RequestSelection): Promise<ClosedRow[]> {
  const rows = await statementsOf(db).closePending(db, selection, { now: act.now, seed: act.newId('evt') });
  tell(act, rows);
  return rows;
}

/** Withdraws a request in the transaction that stores its replacement. False when it can no longer be withdrawn. */
export async function supersede(tx: Tx, act: Act, name: RequestName): Promise<boolean> {
  const selection = { kind: 'withdrawn', reason: 'superseded', ...name } as const;
  const rows = await statementsOf(tx).closePending(tx, selection, { now: act.now, seed: act.newId('evt') });
  tx.afterCommit(() => tell(act, rows));
  return rows.length > 0;
}

/**
 * Small enough that a decision on a request of the same connection, which waits for the connection's counter, never
 * waits long; a backlog is closed batch by batch.
 */
export const CLOSED_AT_ONCE = 200;

/**
 * Follows the revocation of a connection: what still awaited a decision is rejected. Signed and broadcasted requests
 * stay as they are, because their outcome is not known. False when nothing is left.
 */
export async function rejectPendingOfConnection(
  db: Database,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<boolean> {
  const { merchantId, connectionId } = connection;
  const limit = CLOSED_AT_ONCE;
  await closeEnded(db, act, { kind: 'revoked_connection', merchantId, connectionId, limit });
  return hasPendingOfConnection(db, connection);
}

/** Follows a recall, likewise. */
export async function rejectRecalledRequests(db: Database, act: Act, recall: Recall): Promise<boolean> {
  await closeEnded(db, act, { kind: 'recalled', ...recall, limit: CLOSED_AT_ONCE });
  return hasPendingOfRecall(db, recall);
}

function tell(act: Act, rows: readonly ClosedRow[]): void {
  if (rows.length === 0) return;
  for (const to of ['expired', 'rejected'] as const) {
    const count = rows.filter((row) => row.status === to).length;
    if (count === 0) continue;
    act.count(MOVED, { from: 'pending', to }, count);
  }
  const overdue = rows.filter((row) => row.status === 'expired' && row.reason === null).length;
  if (overdue > 0) act.count(EXPIRED, {}, overdue);
  act.announce(...topicsOf(rows));
}
