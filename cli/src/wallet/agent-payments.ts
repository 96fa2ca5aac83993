import { setTimeout as sleep } from 'node:timers/promises';
import { type AddressOrigin, type AgentPayment, hasPinnedFacts } from '@payassent/sdk';
import { listing, type Paint, plain } from '../output.ts';
import { type Checked, checkPayment, dangerText } from './danger.ts';
import { carryOn, decide, type HandledAs, type Payable } from './decide.ts';
import { simulatedHashOf } from './payments.ts';
import { factsLine, members, memoLabel, payeeLines, wordLines } from './review.ts';
import type { Simulation } from './simulation.ts';

const LOOK_EVERY_MS = 1000;

const TYPED_BY: Record<AddressOrigin, string> = {
  operator: 'an operator of the merchant',
  agent: 'the agent',
  user: 'the customer of this wallet',
};

/** The same for agent payments. A bare address is never called a payee: the text names who typed it. */
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
        ['Requested by', payment.initiated_by === 'agent' ? 'the agent, under a policy' : 'a person'],
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

/** Decides what is pending now. Returns the outcome of each. */
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

/** What this wallet had signed before it was cut off continues from there. */
export async function resumeAgentPayments(
  sim: Simulation,
  done: (outcome: HandledAs) => void,
): Promise<void> {
  const { wallet, signal } = sim;
  for (const status of ['broadcasted', 'signed'] as const)
    for await (const payment of wallet.agentPayments.each({ status }, { signal }))
      if (payment.tx_hash === hashOf(payment)) done(await carryOn(sim, payable(sim, payment), status));
}

async function handleIntent(sim: Simulation, payment: AgentPayment): Promise<HandledAs> {
  const checked = await checkPayment(sim.wallet, payment, sim.signal);
  const text = renderAgentPayment(payment, checked, sim.paint);
  return decide(sim, payable(sim, payment), { document: { agent_payment: payment }, text, checked });
}

function payable({ wallet, signal }: Simulation, payment: AgentPayment): Payable {
  const { id } = payment;
  return {
    record: payment,
    id: { id },
    name: plain(id),
    facts: payment,
    payee: payment.payee ?? {},
    context: null,
    hash: hashOf(payment),
    async report(change) {
      await wallet.agentPayments.reportStatus(id, change, { signal });
      const { decision: _, ...members } = change;
      return { members, text: `${change.status} (simulated)` };
    },
  };
}

function hashOf({ connection_id, id, facts_digest }: AgentPayment): string {
  return simulatedHashOf(connection_id, id, facts_digest);
}
