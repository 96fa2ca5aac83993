/** A row that is due, as far as the one who looks for its merchant needs it. */
export interface DueRow {
  merchant_id: string;
}

/**
 * Works off what is due, merchant by merchant, because a transaction is about one. `due` are the rows that have waited
 * longest, up to `limit`; `work` answers how many it ended. True when there may be more.
 */
export async function merchantsInTurn(
  due: readonly DueRow[],
  limit: number,
  work: (merchantId: string) => Promise<number>,
): Promise<boolean> {
  let ended = 0;
  for (const merchantId of new Set(due.map((row) => row.merchant_id))) ended += await work(merchantId);
  // What others hold is left to them: a turn that ended nothing is not repeated at once.
  return due.length === limit && ended > 0;
}
