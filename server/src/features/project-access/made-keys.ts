import type { Tx } from '../../db/open.ts';
import { listLivingKeysOf } from './sql.ts';
import type { ApiKeyRow } from './view.ts';

export type { ApiKeyRow };

/** Keys that an operator made and nobody has revoked, newest first. */
export function livingKeysOf(tx: Tx, merchantId: string, accountId: string): Promise<ApiKeyRow[]> {
  return listLivingKeysOf(tx, merchantId, accountId);
}
