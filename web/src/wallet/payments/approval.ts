import { isApiError, type SignedDecision } from '@payassent/sdk';
import type { Verdict } from '../decisions/sign-shown.ts';
import type { Signer, Submission } from '../signing/signer.ts';
import type { Journal, JournalEntry } from '../storage/journal.ts';
import type { Report } from './gateway.ts';
import { hasPinnedFacts, type Payment } from './payment.ts';

/** Signs the decision on what was shown; undefined where this device has no decision key. */
export type Decide = (shown: Payment, verdict: Verdict) => Promise<SignedDecision | undefined>;

/** What an approval needs of its surroundings. */
export interface ApprovalTools {
  read(payment: Payment): Promise<Payment>;
  report(payment: Payment, report: Report): Promise<Payment>;
  /** Until the decision that `act` makes has been sent, this browser makes no other one with the same passkey. */
  deciding<T>(act: (decide: Decide) => Promise<T>): Promise<T>;
  journal: Journal;
  signerById(id: string): Signer;
  /** Runs one at a time for a payment, over all pages of this browser. */
  exclusively<T>(key: string, act: () => Promise<T>): Promise<T>;
}

export interface ApprovalResult {
  payment: Payment;
  submission: Submission | undefined;
}

/** The facts that the user saw are not the ones that would be signed. */
export class FactsChangedError extends Error {
  override readonly name = 'FactsChangedError';
}

/**
 * From the customer's approval to the outcome: sign, store, report `signed`, send, report the outcome. Can be called
 * again at any point: what was signed is never signed again, and nothing is sent before `signed` has been accepted.
 */
export function approvePayment(
  tools: ApprovalTools,
  shown: Payment,
  signer: Signer,
): Promise<ApprovalResult> {
  return tools.exclusively(shown.key, async () => {
    const current = await tools.read(shown);
    if (current.pinnedDigest !== shown.pinnedDigest || !hasPinnedFacts(current))
      throw new FactsChangedError();
    if (current.status !== 'pending') return carryOn(tools, current);
    const { kept, claimed } = await tools.deciding(async (decide) => {
      const kept = await signOnce(tools, shown, signer, decide);
      return { kept, claimed: await claim(tools, current, kept) };
    });
    return send(tools, claimed, kept);
  });
}

/** Resumes a payment that this device approved before: after a reload, a crash or an unreachable network. */
export function resumePayment(tools: ApprovalTools, payment: Payment): Promise<ApprovalResult> {
  return tools.exclusively(payment.key, async () => carryOn(tools, await tools.read(payment)));
}

/**
 * The customer's rejection, also after an interrupted approval: a transaction that was signed and never sent is
 * deleted.
 */
export function rejectPayment(
  tools: ApprovalTools,
  payment: Payment,
  why: Pick<Report, 'reasonCode' | 'reason'>,
): Promise<Payment> {
  return tools.exclusively(payment.key, async () => {
    const rejected = await tools.deciding(async (decide) => {
      const decision = await decide(payment, 'reject');
      return tools.report(payment, { status: 'rejected', ...why, decision });
    });
    await discard(tools, payment);
    return rejected;
  });
}

/** The decision first: a customer who cancels the passkey prompt has not paid yet. */
async function signOnce(
  tools: ApprovalTools,
  payment: Payment,
  signer: Signer,
  decide: Decide,
): Promise<JournalEntry> {
  const kept = await tools.journal.read(payment);
  const decision = isFresh(kept?.decision) ? kept?.decision : await decide(payment, 'approve');
  const signed = kept ?? { signerId: signer.id, ...(await signer.sign(payment)) };
  const entry = { ...signed, decision };
  await tools.journal.keep(payment, entry);
  return entry;
}

/** The service accepts a decision for 5 minutes, and only one for each payment. */
const FRESH_MS = 4 * 60_000;

function isFresh(decision: SignedDecision | undefined): boolean {
  return decision !== undefined && Math.abs(Date.now() - Date.parse(decision.decided_at)) < FRESH_MS;
}

async function carryOn(tools: ApprovalTools, payment: Payment): Promise<ApprovalResult> {
  const kept = await tools.journal.read(payment);
  if (kept === undefined || payment.isFinal) return { payment, submission: undefined };
  return send(tools, await claim(tools, payment, kept), kept);
}

async function send(tools: ApprovalTools, claimed: Payment, kept: JournalEntry): Promise<ApprovalResult> {
  const submission = await tools.signerById(kept.signerId).submit(claimed, kept);
  return { payment: await reportSubmission(tools, claimed, submission), submission };
}

/**
 * Reports `signed`, again if necessary: the service accepts the repeat only from the device that signed. So if two
 * devices try, one gets an error here, before it has sent anything, and deletes its signature.
 */
async function claim(tools: ApprovalTools, payment: Payment, kept: JournalEntry): Promise<Payment> {
  try {
    const status = payment.status === 'broadcasted' ? 'broadcasted' : 'signed';
    // A repeat needs no decision.
    const decision = payment.status === 'pending' ? kept.decision : undefined;
    return await tools.report(payment, { status, txHash: kept.txHash, decision });
  } catch (error) {
    if (isApiError(error) && error.httpStatus === 409) await discard(tools, payment);
    // The service would reject this decision every time: the next attempt signs a new one.
    if (isApiError(error, 'decision_signature_invalid'))
      await tools.journal.keep(payment, { ...kept, decision: undefined });
    throw error;
  }
}

async function discard(tools: ApprovalTools, payment: Payment): Promise<void> {
  const kept = await tools.journal.read(payment);
  if (kept === undefined) return;
  await tools.signerById(kept.signerId).discard?.(kept);
  await tools.journal.drop(payment);
}

async function reportSubmission(
  tools: ApprovalTools,
  payment: Payment,
  submission: Submission,
): Promise<Payment> {
  if (submission.outcome === 'failed') {
    const { reasonCode, reason } = submission;
    return tools.report(payment, { status: 'failed', reasonCode, reason });
  }
  // The outcome is unknown, so there is nothing to report.
  if (submission.outcome !== 'broadcasted' && submission.outcome !== 'confirmed') return payment;
  const { txHash } = submission;
  const sent =
    payment.status === 'signed' ? await tools.report(payment, { status: 'broadcasted', txHash }) : payment;
  if (submission.outcome === 'broadcasted') return sent;
  return tools.report(sent, { status: 'confirmed', txHash });
}
