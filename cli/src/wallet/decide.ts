import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AgentPayment,
  hasPinnedFacts,
  isApiError,
  type PaymentRequest,
  type SignedDecision,
  type TransactionContext,
  TransportError,
} from '@payassent/sdk';
import type { Checked } from './danger.ts';
import { guardsOf, questionOf, skippedText } from './review.ts';
import { pause, type Simulation } from './simulation.ts';

/** What one payment came to; `left` when it was not this wallet's to decide. */
export type HandledAs = 'confirmed' | 'rejected' | 'skipped' | 'left';

type Status = 'signed' | 'broadcasted' | 'confirmed' | 'rejected';

interface Change {
  status: Status;
  tx_hash?: string;
  reason_code?: string;
  decision?: SignedDecision;
}

/** A payment of either surface, as a simulated wallet decides and reports it. */
export interface Payable {
  record: PaymentRequest | AgentPayment;
  /** The member that names it. */
  id: { request_id: string } | { id: string };
  /** The same for people. */
  name: string;
  facts: Parameters<typeof guardsOf>[1] & Parameters<typeof questionOf>[0];
  payee: Readonly<Record<string, unknown>>;
  /** The revision that is pinned, as it was shown. */
  context: TransactionContext | null;
  hash: string;
  /** Once a person has decided. */
  afterDecision?(): Promise<void>;
  /** Sends it; returns its members and text for the output. */
  report(change: Change): Promise<{ members: object; text: string }>;
}

/** Shows a pending payment, decides it, and takes it to its end. */
export async function decide(
  sim: Simulation,
  payment: Payable,
  { document, text, checked }: { document: object; text: string; checked: Checked },
): Promise<HandledAs> {
  const { output, decider, manner } = sim;
  const { facts, payee, id } = payment;
  output.step({ type: 'review', ...document, dangers: checked.dangers }, text);
  // What is not what was pinned is never signed, not even a rejection.
  if (!hasPinnedFacts(payment.record)) return sim.sign ? 'left' : reject(sim, payment, 'facts_differ');
  const guards = guardsOf(sim, facts, payee, checked);
  const decision = await decider.decide(manner, questionOf(facts, payee), guards);
  if (decision === 'skip') {
    output.step({ type: 'skipped', ...id }, skippedText(sim, checked));
    return 'skipped';
  }
  if (manner === 'ask') await payment.afterDecision?.();
  await pause(sim);
  const signed = await sim.sign?.(payment.record, payment.context, decision);
  if (decision === 'reject') return reject(sim, payment, sim.reasonCode, signed);
  return (await step(sim, payment, 'signed', { signed })) ? carryOn(sim, payment, 'signed') : 'left';
}

/** From where it was when the wallet was cut off. */
export async function carryOn(sim: Simulation, payment: Payable, from: string): Promise<HandledAs> {
  if (from === 'signed') {
    await pause(sim);
    await sim.send(payment.hash, payment.facts);
    if (!(await step(sim, payment, 'broadcasted'))) return 'left';
  }
  await pause(sim);
  return (await step(sim, payment, 'confirmed')) ? 'confirmed' : 'left';
}

async function reject(
  sim: Simulation,
  payment: Payable,
  reasonCode: string,
  signed?: SignedDecision,
): Promise<HandledAs> {
  return (await step(sim, payment, 'rejected', { reasonCode, signed })) ? 'rejected' : 'left';
}

/** One report. False when the payment is no longer this wallet's to decide: expired, or taken by another device. */
async function step(
  sim: Simulation,
  payment: Payable,
  status: Status,
  { reasonCode, signed }: { reasonCode?: string; signed?: SignedDecision | undefined } = {},
): Promise<boolean> {
  const { output, signal } = sim;
  const what = reasonCode === undefined ? { tx_hash: payment.hash } : { reason_code: reasonCode };
  const change = { status, ...what, ...(signed === undefined ? {} : { decision: signed }) };
  try {
    const { members, text } = await repeated(() => payment.report(change), signal);
    output.step({ type: 'reported', ...payment.id, ...members }, `${payment.name}: ${text}`);
  } catch (error) {
    if (!isApiError(error) || error.httpStatus !== 409) throw error;
    const { code } = error;
    output.step({ type: 'refused', ...payment.id, status, code }, `${payment.name}: not ${status}: ${code}`);
    return false;
  }
  if (status === 'signed' && sim.crashAfterSigning) sim.crash();
  return true;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 300;

/** After a lost response the same report is made again: from this device it is accepted again, so it can do no harm. */
async function repeated<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TransportError) || attempt === ATTEMPTS) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}
