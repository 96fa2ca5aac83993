import type { Act } from '../../act.ts';
import { ofMerchant } from '../../db/layout.ts';
import type { Database, Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { jobTopic } from '../../jobs/job.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { type Recall, rejectRecalledRequests } from '../../payments/index.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { rejectRecalledIntents } from '../agent-payments/close.ts';
import { audit } from '../audit/record.ts';
import { lockRecipient } from './sql.ts';
import type { RecipientRow } from './view.ts';

export const RECALL_JOB = 'payee-recalls';

/** Longer than any create takes from reading the payee to its commit. */
const STORING_MS = 2 * MINUTE_MS;

interface Recalled {
  recall: Recall;
  /** Payment requests that this has ended. */
  rejected: number;
}

/**
 * Recalls what awaits a decision for a payee: one row's generation is raised, and every request of an older one is
 * rejected from this commit on, for every reader. The caller has locked the payee, and calls `closeRecallSoon` after
 * the commit.
 */
export async function recallPending(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  recipientId: string,
  because: 'archived' | 'version_activated' | 'asked',
): Promise<Recalled> {
  const { merchantId } = principal;
  const rejected = await countPending(tx, merchantId, recipientId, act.now);
  const generation = await openGeneration(tx, merchantId, recipientId, act.now);
  await audit(tx, act, principal, merchantId, 'recipient.pending_rejected', recipientId, {
    because,
    rejected,
  });
  tx.afterCommit(() => act.announce(jobTopic(RECALL_JOB)));
  return { recall: { merchantId, recipientId, generation }, rejected };
}

export async function rejectPending(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  recipientId: string,
): Promise<Recalled & { recipient: RecipientRow }> {
  const recipient = await lockRecipient(tx, principal.merchantId, recipientId);
  if (!recipient) throw notFound();
  return { recipient, ...(await recallPending(tx, act, principal, recipientId, 'asked')) };
}

/** What was created before this time is stored by now, or never will be. */
export function storedBefore(now: Date): Date {
  return addMs(now, -STORING_MS);
}

/** One batch of both surfaces; true when nothing is left. */
export async function closeRecall(db: Database, act: Act, recall: Recall): Promise<boolean> {
  const areRequestsLeft = await rejectRecalledRequests(db, act, recall);
  const areIntentsLeft = await rejectRecalledIntents(db, act, recall);
  if (areRequestsLeft || areIntentsLeft) return false;
  await markSwept(db, recall, storedBefore(act.now), act.now);
  return true;
}

/** Right after the commit, so that little is left when the caller reads the response. The job does the rest. */
export async function closeRecallSoon(db: Database, act: Act, recall: Recall | undefined): Promise<void> {
  if (recall) await closeRecall(db, act, recall).catch(() => undefined);
}

/** What a recall would end now. Requests of a revoked connection have ended already. */
async function countPending(tx: Tx, merchantId: string, recipientId: string, now: Date): Promise<number> {
  const sql = ofMerchant(tx, merchantId);
  const rows = await sql<[{ count: number }]>`
    select count(*)::int as count from pending_requests p
    where p.merchant_id = ${merchantId} and p.recipient_id = ${recipientId} and p.expires_at >= ${now}
      and (
        select c.status from connections c
        where c.merchant_id = p.merchant_id and c.connection_id = p.connection_id) <> 'revoked'`;
  return rows[0].count;
}

/** From the commit on everything of an older generation is ended. The caller has locked the payee. */
async function openGeneration(tx: Tx, merchantId: string, recipientId: string, now: Date): Promise<number> {
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

/** Recalls in progress, and those due for another check. */
export async function listDueRecalls(db: Database, storedBefore: Date, limit: number): Promise<Recall[]> {
  return db<Recall[]>`
    select merchant_id as "merchantId", recipient_id as "recipientId", generation from recipient_recalls
    where closed_at is null and (swept_at is null or recalled_at < ${storedBefore})
    order by recalled_at, recipient_id, generation limit ${limit}`;
}

/** Nothing is left; closed when that also holds for what was being stored during the recall. */
async function markSwept(db: Database, recall: Recall, storedBefore: Date, now: Date): Promise<void> {
  await db`
    update recipient_recalls
    set swept_at = coalesce(swept_at, ${now}),
        closed_at = case when recalled_at < ${storedBefore} then ${now}::timestamptz end
    where recipient_id = ${recall.recipientId} and generation = ${recall.generation}
      and merchant_id = ${recall.merchantId}`;
}
