import {
  type Connection,
  hasPinnedFacts,
  isApiError,
  type PaymentRequest,
  type PaymentRequestStatus,
  type SignedDecision,
  type TransactionContext,
} from '@payassent/sdk';
import { shortName } from '../output.ts';
import { checkPayment } from './danger.ts';
import { report, simulatedHash } from './report.ts';
import { guardsOf, questionOf, renderReview, skippedText } from './review.ts';
import { pause, type Simulation } from './simulation.ts';

/** What one request came to; `left` when it was not this wallet's to decide. */
export type HandledAs = 'confirmed' | 'rejected' | 'skipped' | 'left';

/** Shows a pending request, decides it, and takes it to its end. */
export async function handlePending(sim: Simulation, request: PaymentRequest): Promise<HandledAs> {
  const { output, paint, decider, manner } = sim;
  const context = await readContext(sim, request);
  const connection = await readConnection(sim, request);
  const checked = await checkPayment(sim.wallet, request, sim.signal);
  output.step(
    {
      type: 'review',
      payment_request: request,
      transaction_context: context ?? null,
      connection: connection ?? null,
      dangers: checked.dangers,
    },
    renderReview({ request, context, connection, checked }, paint),
  );
  // What is not what was pinned is never signed, not even a rejection.
  if (!hasPinnedFacts(request)) return sim.sign ? 'left' : reject(sim, request, 'facts_differ');
  const decision = await decider.decide(
    manner,
    questionOf(request.payment, { ...request.payee }),
    guardsOf(sim, request.payment, { ...request.payee }, checked),
  );
  if (decision === 'skip') {
    output.step({ type: 'skipped', request_id: request.request_id }, skippedText(sim, checked));
    return 'skipped';
  }
  if (manner === 'ask' && connection !== undefined) await reportNames(sim, connection);
  await pause(sim);
  const pinned = request.transaction_context?.revision == null ? null : (context ?? null);
  const signed = await sim.sign?.(request, pinned, decision);
  if (decision === 'reject') return reject(sim, request, sim.reasonCode, signed);
  return (await step(sim, request, 'signed', { signed })) ? carryOn(sim, request, 'signed') : 'left';
}

/** A request that this wallet has signed before it was cut off: it goes on from there and is not signed again. */
export async function handleSigned(sim: Simulation, request: PaymentRequest): Promise<HandledAs> {
  const { request_id, status, tx_hash } = request;
  // Signed by another device or another wallet app: only who signed knows what to broadcast.
  if (tx_hash !== simulatedHash(request)) return 'left';
  sim.output.step(
    { type: 'resumed', request_id, status, tx_hash },
    `${shortName(request_id)} was ${status} by this wallet before it stopped; going on without signing again.`,
  );
  return carryOn(sim, request, status);
}

async function carryOn(
  sim: Simulation,
  request: PaymentRequest,
  from: PaymentRequestStatus,
): Promise<HandledAs> {
  if (from === 'signed') {
    await pause(sim);
    if (!(await step(sim, request, 'broadcasted'))) return 'left';
  }
  await pause(sim);
  return (await step(sim, request, 'confirmed')) ? 'confirmed' : 'left';
}

async function reject(
  sim: Simulation,
  request: PaymentRequest,
  reasonCode: string,
  signed?: SignedDecision,
): Promise<HandledAs> {
  return (await step(sim, request, 'rejected', { reasonCode, signed })) ? 'rejected' : 'left';
}

/** One report. False when the request is no longer this wallet's to decide: expired, or taken by another device. */
async function step(
  sim: Simulation,
  request: PaymentRequest,
  status: PaymentRequestStatus,
  { reasonCode, signed }: { reasonCode?: string; signed?: SignedDecision | undefined } = {},
): Promise<boolean> {
  const { wallet, output, signal } = sim;
  const { request_id } = request;
  const tx_hash = simulatedHash(request);
  const change = reasonCode === undefined ? { status, tx_hash } : { status, reason_code: reasonCode };
  try {
    const decided = signed === undefined ? change : { ...change, decision: signed };
    const { event } = await report(wallet, request, decided, signal);
    const hash = reasonCode === undefined ? { tx_hash } : { reason: reasonCode };
    const text = `${shortName(request_id)}: ${status} (simulated${reasonCode === undefined ? `, made-up hash ${tx_hash.slice(0, 12)}…` : ''})`;
    output.step({ type: 'reported', request_id, status, ...hash, changed: event !== null }, text);
  } catch (error) {
    if (!isApiError(error) || error.httpStatus !== 409) throw error;
    const { code } = error;
    output.step(
      { type: 'refused', request_id, status, code },
      `${shortName(request_id)}: not ${status}: ${code}`,
    );
    return false;
  }
  if (status === 'signed' && sim.crashAfterSigning) sim.crash();
  return true;
}

/** Who asks, as the wallet reads it: with the former names where somebody was renamed. */
async function readConnection(
  { wallet, signal }: Simulation,
  { connection_id }: PaymentRequest,
): Promise<Connection | undefined> {
  for await (const connection of wallet.connections.each({ limit: 100 }, { signal }))
    if (connection.connection_id === connection_id) return connection;
  return undefined;
}

/** A person has read the new names and decided. */
async function reportNames({ wallet, signal }: Simulation, connection: Connection): Promise<void> {
  const { agent, merchant, connection_id, status } = connection;
  if (status === 'revoked' || (agent.former_name ?? merchant.former_name) === undefined) return;
  await wallet.connections.namesSeen(
    connection_id,
    { agent: agent.name, merchant: merchant.name },
    { signal },
  );
}

/** The revision that the request has pinned; when it has pinned none, what was added since. */
async function readContext(
  { wallet, signal }: Simulation,
  request: PaymentRequest,
): Promise<TransactionContext | undefined> {
  const { transaction_id, transaction_context, connection_id } = request;
  if (transaction_id === undefined || !transaction_context) return undefined;
  const { revision } = transaction_context;
  const query = { connection_id, ...(revision === null ? {} : { revision }) };
  try {
    return (await wallet.context(transaction_id, query, { signal })).transaction_context;
  } catch (error) {
    if (revision === null && isApiError(error, 'resource_not_found')) return undefined;
    throw error;
  }
}
