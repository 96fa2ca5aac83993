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
 * Stores one request. A create that need not wait shares its statement with others that come at the same moment, and
 * passes over a connection that somebody holds. One that has to be explained waits for it in a transaction of its own.
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
      // The new one is stored before the other is taken back: where its key is taken it is a repeat, and what became of
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

/** After these nothing was done, or it is open whether it was. */
const PASSING: readonly (string | undefined)[] = ['connection', 'outdated', 'placement'];

/**
 * A connection that breaks during a commit leaves open whether the row is there. It is sent once more: if it is there,
 * its key or id is taken and the caller finds its own request.
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
