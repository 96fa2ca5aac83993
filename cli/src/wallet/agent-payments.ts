import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AddressOrigin,
  type AgentPayment,
  type AgentPaymentStatus,
  hasPinnedFacts,
  isApiError,
  type SignedDecision,
} from '@payassent/sdk';
import { listing, type Paint, plain } from '../output.ts';
import { type Checked, checkPayment, dangerText } from './danger.ts';
import type { HandledAs } from './payments.ts';
import { repeated, simulatedHashOf } from './report.ts';
import {
  factsLine,
  guardsOf,
  members,
  memoLabel,
  payeeLines,
  questionOf,
  skippedText,
  wordLines,
} from './review.ts';
import { pause, type Simulation } from './simulation.ts';

const LOOK_EVERY_MS = 1000;

const TYPED_BY: Record<AddressOrigin, string> = {
  operator: 'an operator of the merchant',
  agent: 'the agent',
  user: 'the user of this wallet',
};

/** The same for payments of the second surface. A bare address is never called a payee: it says who typed it. */
function renderAgentPayment(payment: AgentPayment, checked: Checked, paint: Paint): string {
  const { payee, to_entered_by: typist } = payment;
  const isBare = payment.recipient_id === null;
  const typedBy = typist ? TYPED_BY[typist] : 'a person; it was not recorded who';
  return [
    paint.bold(`Agent payment ${plain(payment.id)}`),
    ...dangerText(checked, paint),
    listing(
      [
        ['Pay', paint.bold(`${payment.amount} ${plain(payment.asset)}`)],
        ['On', plain(payment.network)],
        ['To', plain(payment.to)],
        [memoLabel(payment), payment.memo ? plain(payment.memo) : undefined],
        ['Issuer', payment.issuer ? plain(payment.issuer) : undefined],
        ...(isBare ? [] : payeeLines(payee ?? {}, paint)),
        ['Payee', isBare ? paint.bad('NOT VERIFIED: a bare address') : undefined],
        ['Typed by', isBare ? paint.bold(typedBy) : undefined],
        ['Asked by', payment.initiated_by === 'agent' ? 'the agent, under a policy' : 'a person'],
        ['Expires', plain(payment.expires_at)],
        ['Facts', factsLine(hasPinnedFacts(payment), paint)],
      ],
      '  ',
      paint.columns,
    ),
    '',
    paint.dim("  The caller's notes (not verified):"),
    wordLines(members(payment.metadata ?? undefined, []), paint),
  ].join('\n');
}

/** Decides what waits now. Answers what each came to. */
export async function decideAgentPayments(
  sim: Simulation,
  done: (outcome: HandledAs) => void,
  skipped = new Set<string>(),
): Promise<void> {
  const { wallet, signal } = sim;
  for await (const payment of wallet.agentPayments.each({ status: 'intent_created' }, { signal })) {
    if (skipped.has(payment.id)) continue;
    const outcome = await handleIntent(sim, payment);
    if (outcome === 'skipped') skipped.add(payment.id);
    done(outcome);
  }
}

/** As long as the simulation runs. */
export async function watchAgentPayments(sim: Simulation, done: (outcome: HandledAs) => void): Promise<void> {
  const skipped = new Set<string>();
  for (;;) {
    await decideAgentPayments(sim, done, skipped);
    await sleep(LOOK_EVERY_MS, undefined, { signal: sim.signal });
  }
}

/** What this wallet had signed before it was cut off goes on from there. */
export async function resumeAgentPayments(
  sim: Simulation,
  done: (outcome: HandledAs) => void,
): Promise<void> {
  const { wallet, signal } = sim;
  for (const status of ['broadcasted', 'signed'] as const)
    for await (const payment of wallet.agentPayments.each({ status }, { signal }))
      if (payment.tx_hash === hashOf(payment)) done(await carryOn(sim, payment, status));
}

async function handleIntent(sim: Simulation, payment: AgentPayment): Promise<HandledAs> {
  const { output, paint, decider, manner } = sim;
  const checked = await checkPayment(sim.wallet, payment, sim.signal);
  const { dangers } = checked;
  output.step(
    { type: 'review', agent_payment: payment, dangers },
    renderAgentPayment(payment, checked, paint),
  );
  // What is not what was pinned is never signed, not even a rejection.
  if (!hasPinnedFacts(payment)) return sim.sign ? 'left' : reject(sim, payment, 'facts_differ');
  const decision = await decider.decide(
    manner,
    questionOf(payment, payment.payee ?? {}),
    guardsOf(sim, payment, payment.payee ?? {}, checked),
  );
  if (decision === 'skip') {
    output.step({ type: 'skipped', id: payment.id }, skippedText(sim, checked));
    return 'skipped';
  }
  await pause(sim);
  const signed = await sim.sign?.(payment, null, decision);
  if (decision === 'reject') return reject(sim, payment, sim.reasonCode, signed);
  return (await step(sim, payment, 'signed', { signed })) ? carryOn(sim, payment, 'signed') : 'left';
}

async function carryOn(
  sim: Simulation,
  payment: AgentPayment,
  from: 'signed' | 'broadcasted',
): Promise<HandledAs> {
  if (from === 'signed') {
    await pause(sim);
    if (!(await step(sim, payment, 'broadcasted'))) return 'left';
  }
  await pause(sim);
  return (await step(sim, payment, 'confirmed')) ? 'confirmed' : 'left';
}

async function reject(
  sim: Simulation,
  payment: AgentPayment,
  reasonCode: string,
  signed?: SignedDecision,
): Promise<HandledAs> {
  return (await step(sim, payment, 'rejected', { reasonCode, signed })) ? 'rejected' : 'left';
}

/** One report. False when the payment is no longer this wallet's to decide. */
async function step(
  sim: Simulation,
  payment: AgentPayment,
  status: AgentPaymentStatus,
  { reasonCode, signed }: { reasonCode?: string; signed?: SignedDecision | undefined } = {},
): Promise<boolean> {
  const { wallet, output, signal } = sim;
  const { id } = payment;
  const change =
    reasonCode === undefined ? { status, tx_hash: hashOf(payment) } : { status, reason_code: reasonCode };
  try {
    const decided = signed === undefined ? change : { ...change, decision: signed };
    await repeated(() => wallet.agentPayments.reportStatus(id, decided, { signal }), signal);
    output.step({ type: 'reported', id, ...change }, `${plain(id)}: ${status} (simulated)`);
  } catch (error) {
    if (!isApiError(error) || error.httpStatus !== 409) throw error;
    const { code } = error;
    output.step({ type: 'refused', id, status, code }, `${plain(id)}: not ${status}: ${code}`);
    return false;
  }
  if (status === 'signed' && sim.crashAfterSigning) sim.crash();
  return true;
}

function hashOf({ connection_id, id, facts_digest }: AgentPayment): string {
  return simulatedHashOf(connection_id, id, facts_digest);
}
