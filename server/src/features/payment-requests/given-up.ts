import { type Fault, faultOf } from '../../db/faults.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';

/** A call that is over has had its 503: what it was to do is not begun. `untilMs` is that of its act. */
export function refuseGivenUp(untilMs: number): void {
  if (performance.now() >= untilMs) throw new AppError('unavailable');
}

/** First in the transaction of a call: no lock is waited for when its caller has had a 503. */
export async function boundByCall(tx: Tx, untilMs: number): Promise<void> {
  refuseGivenUp(untilMs);
  const leftMs = Math.ceil(untilMs - performance.now());
  await tx`select set_config('lock_timeout', ${`${leftMs}ms`}, true)`;
}

/** After these nothing was done, or it is open whether it was. */
const PASSING: readonly (Fault | undefined)[] = ['connection', 'outdated', 'placement'];

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
