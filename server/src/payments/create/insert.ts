import type { Act } from '../../act.ts';
import { faultOf } from '../../db/faults.ts';
import { type Database, transaction } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { statementsOf } from '../../storage/index.ts';
import { createBatches } from '../batch/batches.ts';
import { boundByCall } from '../batch/given-up.ts';
import { supersede } from '../close/close.ts';
import { type CreateOutcome, type CreateRow, NOT_CREATED, type WhenHeld } from './create-sql.ts';
import { lockPayment } from './duplicates.ts';

/**
 * Stores one request. A create that need not wait shares its statement with concurrent ones, and skips a connection
 * that is locked. One that has to be explained waits for the lock in a separate transaction.
 */
export type Insert = (act: Act, row: CreateRow, whenHeld: WhenHeld) => Promise<CreateOutcome>;

/** The request that was to be replaced no longer awaits a decision; nothing was stored. */
export class NotSupersededError extends Error {}

export function createInsert(
  { db, clock, maxPending }: { db: Database; clock: Clock; maxPending: number },
  { atOnce, maxRows }: { atOnce: number; maxRows: number },
): Insert {
  const shared = createBatches<CreateRow, CreateOutcome>({
    atOnce,
    maxRows,
    execute: (rows) => statementsOf(db).insertRequests(db, rows, clock.now(), 'pass over', maxPending),
    namesOf: ({ connection_id: connection, idempotency_key: key, request_id: id }) => [
      `id ${connection} ${id}`,
      ...(key === null ? [] : [`key ${connection} ${key}`]),
    ],
  });
  const alone = (act: Act, row: CreateRow) =>
    transaction(db, async (tx) => {
      await boundByCall(tx, act.untilMs);
      if (row.refuses_duplicates) await lockPayment(tx, row);
      const [outcome = NOT_CREATED] = await statementsOf(tx).insertRequests(
        tx,
        [row],
        act.now,
        'wait',
        maxPending,
      );
      // The new one is stored before the other is withdrawn: where its key is taken it is a repeat, and the outcome of
      // the other does not matter.
      if (outcome.record === null || row.supersedes === undefined) return outcome;
      const { merchant_id, connection_id, supersedes: request_id } = row;
      if (!(await supersede(tx, act, { merchant_id, connection_id, request_id })))
        throw new NotSupersededError();
      return outcome;
    });
  return (act, row, whenHeld) =>
    insertSurely(act.untilMs, () => (whenHeld === 'wait' ? alone(act, row) : shared.run(row, act.untilMs)));
}

/** After these nothing was done, or the outcome is unknown. */
const PASSING: readonly (string | undefined)[] = ['connection', 'outdated', 'placement'];

/**
 * After a connection breaks during a commit it is unknown whether the row is stored. The create is sent again: if it
 * was stored, its key or id is taken and the caller finds its own request.
 */
export async function insertSurely<Outcome>(
  untilMs: number,
  insert: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await insert();
  } catch (error) {
    if (!PASSING.includes(faultOf(error)) || performance.now() >= untilMs) throw error;
    return insert();
  }
}
