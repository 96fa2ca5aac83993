/** The part of a due row that identifies its merchant. */
export interface DueRow {
  merchant_id: string;
}

/**
 * Processes due rows merchant by merchant, because a transaction is bound to one. `due` are the rows that have waited
 * longest, up to `limit`; `work` returns how many it ended. True when there may be more.
 */
export async function merchantsInTurn(
  due: readonly DueRow[],
  limit: number,
  work: (merchantId: string) => Promise<number>,
): Promise<boolean> {
  let ended = 0;
  for (const merchantId of new Set(due.map((row) => row.merchant_id))) ended += await work(merchantId);
  // Rows locked by others are skipped: a turn that ended nothing is not repeated immediately.
  return due.length === limit && ended > 0;
}
