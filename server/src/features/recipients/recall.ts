import type { Act } from '../../act.ts';
import type { Database, Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { jobTopic } from '../../jobs/job.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { type Recall, rejectRecalledRequests } from '../../payments/index.ts';
import { rejectRecalledIntents } from '../agent-payments/close.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { countPending, markSwept, openGeneration } from './recall-sql.ts';
import { lockRecipient } from './sql.ts';
import type { RecipientRow } from './view.ts';

export const RECALL_JOB = 'payee-recalls';

/** Longer than any create takes from its look at the Recipient to its commit. */
const STORING_MS = 2 * MINUTE_MS;

export interface Recalled {
  recall: Recall;
  /** Payment requests that this has ended. */
  rejected: number;
}

/**
 * Takes back what awaits a decision for a payee: one row is raised, and every request of an older generation is
 * rejected from this commit on, no matter who reads it. The caller holds the Recipient, and calls `settleRecallSoon` after the
 * commit.
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
  await recordAudit(tx, act, {
    merchantId,
    type: 'recipient.pending_rejected',
    actor: auditActor(principal),
    target: { type: 'recipient', id: recipientId },
    details: { because, rejected },
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

/** What was made before this moment is stored by now, or never will be. */
export function storedBefore(now: Date): Date {
  return addMs(now, -STORING_MS);
}

/** One batch of both surfaces; true when nothing is left. */
export async function settleRecall(db: Database, act: Act, recall: Recall): Promise<boolean> {
  const areRequestsLeft = await rejectRecalledRequests(db, act, recall);
  const areIntentsLeft = await rejectRecalledIntents(db, act, recall);
  if (areRequestsLeft || areIntentsLeft) return false;
  await markSwept(db, recall, storedBefore(act.now), act.now);
  return true;
}

/** Right after the commit, so that little is settled when the caller reads the answer. The job does what is left. */
export async function settleRecallSoon(db: Database, act: Act, recall: Recall | undefined): Promise<void> {
  if (recall) await settleRecall(db, act, recall).catch(() => undefined);
}
