import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';

/** A call past its deadline has had its 503: its work is not begun. `untilMs` is that of its act. */
export function refuseGivenUp(untilMs: number): void {
  if (performance.now() >= untilMs) throw new AppError('unavailable');
}

/** First in the transaction of a call: no lock wait outlasts the call's deadline. */
export async function boundByCall(tx: Tx, untilMs: number): Promise<void> {
  refuseGivenUp(untilMs);
  const leftMs = Math.ceil(untilMs - performance.now());
  await tx`select set_config('lock_timeout', ${`${leftMs}ms`}, true)`;
}
