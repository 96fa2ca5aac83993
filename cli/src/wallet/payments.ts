import { createHash } from 'node:crypto';
import { type Connection, isApiError, type PaymentRequest, type TransactionContext } from '@payassent/sdk';
import { shortName } from '../output.ts';
import { checkPayment } from './danger.ts';
import { carryOn, decide, type HandledAs, type Payable } from './decide.ts';
import { renderReview } from './review.ts';
import type { Simulation } from './simulation.ts';

/**
 * Made up, but always the same for one request: a wallet that was cut off after signing finds its own transaction again
 * instead of making a second one.
 */
export function simulatedHash(request: PaymentRequest): string {
  const { connection_id, request_id, facts_digest } = request;
  return simulatedHashOf(connection_id, request_id, facts_digest);
}

export function simulatedHashOf(connectionId: string, id: string, factsDigest: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['payassent wallet simulate', connectionId, id, factsDigest]))
    .digest('hex');
}

export async function handlePending(sim: Simulation, request: PaymentRequest): Promise<HandledAs> {
  const context = await readContext(sim, request);
  const connection = await readConnection(sim, request);
  const checked = await checkPayment(sim.wallet, request, sim.signal);
  const isPinned = request.transaction_context?.revision != null;
  const payment: Payable = {
    ...payable(sim, request),
    context: isPinned ? (context ?? null) : null,
    afterDecision: async () => connection && reportNames(sim, connection),
  };
  return decide(sim, payment, {
    document: {
      payment_request: request,
      transaction_context: context ?? null,
      connection: connection ?? null,
    },
    text: renderReview({ request, context, connection, checked }, sim.paint),
    checked,
  });
}

/** A request that this wallet has signed before it was cut off: it continues from there and is not signed again. */
export async function handleSigned(sim: Simulation, request: PaymentRequest): Promise<HandledAs> {
  const { request_id, status, tx_hash } = request;
  // Signed by another device or another wallet app: only who signed knows what to broadcast.
  if (tx_hash !== simulatedHash(request)) return 'left';
  sim.output.step(
    { type: 'resumed', request_id, status, tx_hash },
    `${shortName(request_id)} was ${status} by this wallet before it stopped; continuing without signing again.`,
  );
  return carryOn(sim, payable(sim, request), status);
}

function payable({ wallet, signal }: Simulation, request: PaymentRequest): Payable {
  const { request_id, connection_id } = request;
  const hash = simulatedHash(request);
  return {
    record: request,
    id: { request_id },
    name: shortName(request_id),
    facts: request.payment,
    payee: { ...request.payee },
    context: null,
    hash,
    async report(change) {
      const report = { ...change, connection_id };
      const { event } = await wallet.paymentRequests.reportStatus(request_id, report, { signal });
      const { status, reason_code: reason } = change;
      return {
        members: { status, ...(reason ? { reason } : { tx_hash: hash }), changed: event !== null },
        text: `${status} (simulated${reason ? '' : `, made-up hash ${hash.slice(0, 12)}…`})`,
      };
    },
  };
}

/** Who requests it, as the wallet reads it: with the previous names where someone was renamed. */
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
