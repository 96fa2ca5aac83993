import type { Act } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import type { ConnectionPrincipal } from '../../http/principals.ts';
import { statementsOf } from '../../storage/index.ts';
import { type CreateOutcome, type CreateRow, NOT_CREATED } from './create-sql.ts';
import { lockPayment } from './duplicates.ts';
import type { Engine } from './engine.ts';
import { boundByCall } from './given-up.ts';
import { supersede } from './settle.ts';
import { refuseSuperseding } from './withdraw.ts';

class NotSupersededError extends Error {}

/**
 * Stores a request that refuses duplicates, or that comes in place of another one: in a transaction, so that both
 * happen or neither. The new one is stored before the other is taken back: where its key is taken it is a repeat, and
 * what became of the other does not matter.
 */
export async function insertGuarded(
  engine: Engine,
  act: Act,
  caller: ConnectionPrincipal,
  row: CreateRow,
): Promise<CreateOutcome> {
  const { merchantId, connectionId } = caller;
  const { supersedes, recipient_id: recipientId, amount } = row;
  try {
    return await transaction(engine.db, async (tx) => {
      await boundByCall(tx, act.untilMs);
      if (row.refuses_duplicates) await lockPayment(tx, { merchantId, connectionId, recipientId, amount });
      const [outcome = NOT_CREATED] = await statementsOf(tx).insertRequests(
        tx,
        [row],
        act.now,
        'wait',
        engine.maxPending,
      );
      if (outcome.record === null || supersedes === undefined) return outcome;
      const name = { merchant_id: merchantId, connection_id: connectionId, request_id: supersedes };
      if (!(await supersede(tx, act, name))) throw new NotSupersededError();
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof NotSupersededError) || supersedes === undefined) throw error;
    await refuseSuperseding(engine, act, caller, supersedes);
    return NOT_CREATED;
  }
}
