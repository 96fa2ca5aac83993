import { ofMerchant } from '../../db/layout.ts';
import type { Database, Tx } from '../../db/open.ts';
import type { Recall } from '../../payments/index.ts';

/** What a recall at this moment would end. Requests of a revoked connection have ended already. */
export async function countPending(
  tx: Tx,
  merchantId: string,
  recipientId: string,
  now: Date,
): Promise<number> {
  const sql = ofMerchant(tx, merchantId);
  const rows = await sql<[{ count: number }]>`
    select count(*)::int as count from pending_requests p
    where p.merchant_id = ${merchantId} and p.recipient_id = ${recipientId} and p.expires_at >= ${now}
      and (
        select c.status from connections c
        where c.merchant_id = p.merchant_id and c.connection_id = p.connection_id) <> 'revoked'`;
  return rows[0].count;
}

/** From the commit on everything of an older generation is ended. The caller holds the Recipient. */
export async function openGeneration(
  tx: Tx,
  merchantId: string,
  recipientId: string,
  now: Date,
): Promise<number> {
  const rows = await tx<{ generation: number }[]>`
    with opened as (
      update recipients set recall_generation = recall_generation + 1
      where recipient_id = ${recipientId} and merchant_id = ${merchantId}
      returning recall_generation
    )
    insert into recipient_recalls (recipient_id, generation, merchant_id, recalled_at)
    select ${recipientId}, recall_generation, ${merchantId}, ${now} from opened
    returning generation`;
  const [row] = rows;
  if (!row) throw new Error('The locked row of a Recipient is gone.');
  return row.generation;
}

/** Recalls that are still being worked off, and those that are to be looked at once more. */
export async function listDueRecalls(db: Database, storedBefore: Date, limit: number): Promise<Recall[]> {
  return db<Recall[]>`
    select merchant_id as "merchantId", recipient_id as "recipientId", generation from recipient_recalls
    where closed_at is null and (swept_at is null or recalled_at < ${storedBefore})
    order by recalled_at, recipient_id, generation limit ${limit}`;
}

/** Nothing is left; closed when that holds for what was just being stored at the moment of the recall too. */
export async function markSwept(db: Database, recall: Recall, storedBefore: Date, now: Date): Promise<void> {
  await db`
    update recipient_recalls
    set swept_at = coalesce(swept_at, ${now}),
        closed_at = case when recalled_at < ${storedBefore} then ${now}::timestamptz end
    where recipient_id = ${recall.recipientId} and generation = ${recall.generation}
      and merchant_id = ${recall.merchantId}`;
}
