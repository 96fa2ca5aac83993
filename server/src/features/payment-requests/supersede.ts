import type { Act } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import type { ConnectionPrincipal } from '../../http/principals.ts';
import { type CreateOutcome, type CreateRow, insertRequests, NOT_CREATED } from './create-sql.ts';
import type { Engine } from './engine.ts';
import { supersede } from './settle.ts';
import { refuseSuperseding } from './withdraw.ts';

class NotSupersededError extends Error {}

/**
 * Stores a request and takes back the one in whose place it comes, or does neither. The new one first: where its key is
 * taken it is a repeat, and what became of the other does not matter.
 */
export async function insertInPlaceOf(
  engine: Engine,
  act: Act,
  caller: ConnectionPrincipal,
  supersededId: string,
  row: CreateRow,
): Promise<CreateOutcome> {
  const { merchantId: merchant_id, connectionId: connection_id } = caller;
  try {
    return await transaction(engine.db, async (tx) => {
      const [outcome] = await insertRequests(tx, [row], act.now, 'wait', engine.maxPending);
      if (!outcome || outcome.record === null) return outcome ?? NOT_CREATED;
      const isTakenBack = await supersede(tx, act, { merchant_id, connection_id, request_id: supersededId });
      if (!isTakenBack) throw new NotSupersededError();
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof NotSupersededError)) throw error;
    await refuseSuperseding(engine, act, caller, supersededId);
    return NOT_CREATED;
  }
}
