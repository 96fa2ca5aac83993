import type { Tx } from '../../db/open.ts';
import { endRecovery } from './session-sql.ts';

/** A passkey was used, so none is lost. */
export function forgetRecovery(tx: Tx, accountId: string): Promise<void> {
  return endRecovery(tx, accountId);
}
