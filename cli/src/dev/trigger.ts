import { randomUUID } from 'node:crypto';
import {
  type AgentPayment,
  AgentPaymentsClient,
  type AutomationPolicy,
  type ConnectionClient,
  isApiError,
  type MerchantClient,
  outcome,
  type PaymentRequest,
  type PaymentRequestStatus,
  standing,
  type WalletClient,
} from '@payassent/sdk';
import { clientOptions, openConnection, openWallet } from '../clients.ts';
import { defineCommand, LocalError, UsageError } from '../command.ts';
import { openMerchant } from '../merchant.ts';
import { createOutput, listing } from '../output.ts';
import { type Profile, updateProfile } from '../profile.ts';
import { openDecisionKey, type SignShown } from '../wallet/decision-key.ts';
import { simulatedHash, simulatedHashOf } from '../wallet/payments.ts';
import { sendOnChain } from './chain.ts';
import { moveClock } from './clock.ts';
import { openWorld, type RunningWorld, WORLD_NAME, WORLD_OPTION } from './running.ts';

interface Hands {
  world: RunningWorld;
  connection: ConnectionClient;
  wallet: WalletClient;
  /** Where the device has a decision key. */
  sign: SignShown | undefined;
  /** A session of a team member may have ended when the clock was moved: opened by what needs it. */
  merchant(): Promise<MerchantClient>;
  connectionId: string;
  profile: Profile;
  /** What the agent may do under a policy of the customer. */
  agentPayments(apiKey: string): AgentPaymentsClient;
  beforeCreate?(requestId: string): Promise<unknown>;
  /** Returns the time afterwards. */
  advance(ms: number): Promise<Date>;
}

type Made = Record<string, unknown>;

/** Requests a payment and lets the wallet report these statuses. */
async function paid(hands: Hands, ...statuses: PaymentRequestStatus[]): Promise<PaymentRequest> {
  const { connection, world } = hands;
  const request_id = `pr-${randomUUID()}`;
  await hands.beforeCreate?.(request_id);
  const input = {
    request_id,
    recipient_id: world.payees[0]?.recipient_id ?? '',
    payment: { amount: '1.00' },
  };
  const { payment_request } = await connection.paymentRequests.create(input, {
    idempotencyKey: randomUUID(),
  });
  const tx_hash = simulatedHash(payment_request);
  for (const status of statuses) {
    const told = status === 'rejected' || status === 'failed' ? { reason_code: 'triggered' } : { tx_hash };
    if (status === 'broadcasted') await sendOnChain(world, tx_hash, payment_request.payment);
    const signed = await decisionOn(hands, payment_request, status);
    await hands.wallet.paymentRequests.reportStatus(request_id, { status, ...told, ...signed });
  }
  return (await connection.paymentRequests.get(payment_request.request_id)).payment_request;
}

async function decisionOn(
  { sign }: Hands,
  record: PaymentRequest | AgentPayment,
  status: PaymentRequestStatus,
) {
  return status === 'signed' && sign ? { decision: await sign(record, null, 'approve') } : {};
}

const payment =
  (...statuses: PaymentRequestStatus[]) =>
  async (hands: Hands): Promise<Made> => ({ payment_request: await paid(hands, ...statuses) });

const HOUR_MS = 3_600_000;
const WAIT = { timeoutMs: 60_000 };

/** The policy under which the agent pays; drafted by the agent and accepted by the customer where there is none. */
async function activePolicy({ wallet, world, connectionId, advance }: Hands, agent: AgentPaymentsClient) {
  const now = await advance(0);
  const holds = ({ validity_window: window }: AutomationPolicy) =>
    window !== null && Date.parse(window.until) > now.getTime();
  for await (const policy of wallet.policies.each({ connection_id: connectionId, status: 'active' }))
    if (holds(policy)) return;
  const { id, version } = await agent.policies.create({
    connection_id: connectionId,
    network: 'stellar_testnet',
    asset: 'XLM',
    single_tx_limit: '10',
    cumulative_limit: '100000',
    validity_window: {
      from: now.toISOString(),
      until: new Date(now.getTime() + 30 * 24 * HOUR_MS).toISOString(),
    },
    allowlist: [{ recipient_id: world.payees[0]?.recipient_id ?? '' }],
  });
  await wallet.policies.optIn(id, { version });
}

/** Paid by the wallet without another question. */
async function paidByAgent(hands: Hands): Promise<AgentPayment> {
  const { wallet, world, connectionId, profile } = hands;
  const { access } = await hands.merchant();
  const key = await access.createApiKey({ name: 'payassent trigger', agent_id: profile.agent_id ?? '' });
  try {
    const agent = hands.agentPayments(key.api_key);
    await activePolicy(hands, agent);
    const [{ recipient_id = '' } = {}] = world.payees;
    const what = { network: 'stellar_testnet', asset: 'XLM', amount: '1.00', recipient_id } as const;
    const input = { connection_id: connectionId, ...what };
    const payment = await agent.payments.create(input, { idempotencyKey: randomUUID() });
    const tx_hash = simulatedHashOf(connectionId, payment.id, payment.facts_digest);
    for (const status of ['signed', 'broadcasted', 'confirmed'] as const) {
      if (status === 'broadcasted') await sendOnChain(world, tx_hash, payment);
      const signed = await decisionOn(hands, payment, status);
      await wallet.agentPayments.reportStatus(payment.id, { status, tx_hash, ...signed });
    }
    return await agent.payments.get(payment.id);
  } finally {
    await access.revokeApiKey(key.api_key_id);
  }
}

const BURST = 50;
/** Far more than the limit of a dev world. */
const MOST_BURSTS = 40;

/** Creates that are refused for their body count too, and leave nothing behind. */
async function useUpCreates({ world, profile }: Hands): Promise<Made> {
  const headers = {
    authorization: `Bearer ${profile.connection_token}`,
    'content-type': 'application/json',
  };
  const call = { method: 'POST', headers, body: '{}' };
  for (let burst = 0; burst < MOST_BURSTS; burst += 1) {
    const sent = Array.from({ length: BURST }, () => fetch(`${world.service}/v1/payment-requests`, call));
    const answers = await Promise.all(
      (await Promise.all(sent)).map(async (answer) => ({
        retryAfter: answer.headers.get('retry-after'),
        limited: answer.status === 429,
        body: (await answer.json()) as { error: object },
      })),
    );
    const limited = answers.find((answer) => answer.limited);
    if (limited) return { error: limited.body.error, retry_after_s: Number(limited.retryAfter) };
  }
  throw new LocalError('not_limited', 'The service counts no creates: this is no dev world of this version.');
}

/** What can be made to happen, and how: always by the public API, as it happens in earnest. */
const TRIGGERS: Readonly<Record<string, { summary: string; run(hands: Hands): Promise<Made> }>> = {
  created: { summary: 'a request that waits for the customer', run: payment() },
  approved: { summary: 'signed by the wallet', run: payment('signed') },
  broadcasted: { summary: 'signed and sent', run: payment('signed', 'broadcasted') },
  confirmed: { summary: 'the whole way', run: payment('signed', 'broadcasted', 'confirmed') },
  rejected: { summary: 'the customer rejects', run: payment('rejected') },
  failed: { summary: 'signed, then failed', run: payment('signed', 'failed') },
  expired: {
    summary: 'no decision in time; the test clock moves two hours',
    async run(hands) {
      const { request_id } = await paid(hands);
      await hands.advance(2 * HOUR_MS);
      return { payment_request: await hands.connection.paymentRequests.waitForStatus(request_id, WAIT) };
    },
  },
  unknown: {
    summary: 'signed, then silence: the test clock moves two hours and a quarter',
    async run(hands) {
      const { request_id } = await paid(hands, 'signed');
      await hands.advance(2.25 * HOUR_MS);
      const { payment_request } = await hands.connection.paymentRequests.get(request_id);
      return { payment_request, outcome: outcome(payment_request), standing: standing(payment_request) };
    },
  },
  'settlement-updated': {
    summary: 'the whole way, and the chain shows it: final on the simulated network of this world',
    async run(hands) {
      const { request_id } = await paid(hands, 'signed', 'broadcasted', 'confirmed');
      const { paymentRequests } = hands.connection;
      return { payment_request: await paymentRequests.waitForSettlement(request_id, WAIT) };
    },
  },
  'agent-payment': {
    summary: 'the agent pays under a policy that the customer accepted, with no further question',
    run: async (hands) => ({ agent_payment: await paidByAgent(hands) }),
  },
  'rate-limited': {
    summary: "uses up the connection's creates: 429 for at most a minute, or until dev clock +1m",
    run: useUpCreates,
  },
  withdrawn: {
    summary: 'the agent takes a request back',
    async run(hands) {
      const { request_id } = await paid(hands);
      return { ...(await hands.connection.paymentRequests.withdraw(request_id)) };
    },
  },
  mismatch: {
    summary: 'the agent expects another network than the payee has: refused, nothing is created',
    async run({ connection, world }) {
      const recipient_id = world.payees[0]?.recipient_id ?? '';
      const input = { recipient_id, payment: { amount: '1.00' }, expect: { network: 'ethereum_mainnet' } };
      try {
        await connection.paymentRequests.create(input, { idempotencyKey: randomUUID() });
      } catch (error) {
        if (isApiError(error, 'expectation_mismatch'))
          return { error: { code: error.code, details: error.details } };
        throw error;
      }
      throw new Error('the service created it all the same');
    },
  },
  'webhook-failure': {
    summary: 'the receiver breaks for one message, which is sent again after seconds',
    async run(hands) {
      const beforeCreate = (body: string) => fetch(`${hands.world.webhooks}/fail`, { method: 'PUT', body });
      return { payment_request: await paid({ ...hands, beforeCreate }) };
    },
  },
  paused: {
    summary: 'the customer pauses the connection, then resumes it',
    async run({ wallet, connectionId }) {
      await wallet.connections.pause(connectionId);
      return { ...(await wallet.connections.resume(connectionId)) };
    },
  },
  'payee-changed': {
    summary: 'the merchant activates another version of its second payee',
    async run({ merchant: open, world }) {
      const merchant = await open();
      const id = world.payees[1]?.recipient_id ?? '';
      const { recipient } = await merchant.recipients.get(id);
      const [domain] = (await merchant.domains.list()).domains;
      const facts = { network: 'stellar_testnet', asset: 'XLM', address: ADDRESS } as const;
      const memo = `changed ${randomUUID().slice(0, 8)}`;
      const added = await merchant.recipients.addVersion(id, { ...facts, memo, version: recipient.version });
      const { version } = added.recipient;
      const { recipient_version_id } = added.recipient_version;
      const source_id = domain?.domain_id ?? '';
      const proof = { recipient_version_id, type: 'domain_proof', source_id, version } as const;
      const { evidence } = await merchant.recipients.verify(id, proof);
      const { evidence_id, evidence_digest } = evidence;
      const chosen = { evidence_id, evidence_digest, version };
      return { ...(await merchant.recipients.activate(id, recipient_version_id, chosen)) };
    },
  },
};

/** Another account from the examples of SEP-23. */
const ADDRESS = 'GAQAA5L65LSYH7CQ3VTJ7F3HHLGCL3DSLAR2Y47263D56MNNGHSQSTVY';

export const commands = [
  defineCommand({
    name: 'trigger',
    summary: 'make an event happen in a dev world',
    positionals: '<event>',
    options: WORLD_OPTION,
    details: [
      'Everything happens by the public API, so that records, events and webhooks are the real ones. Events:',
      '',
      listing(
        Object.entries(TRIGGERS).map(([name, { summary }]) => [name, summary]),
        '  ',
      ),
    ].join('\n'),
    async run(io, { values, positionals, isJson }) {
      const [event = ''] = positionals;
      const found = Object.hasOwn(TRIGGERS, event) ? TRIGGERS[event] : undefined;
      if (!found) throw new UsageError(`Give one of: ${Object.keys(TRIGGERS).join(', ')}`);
      const name = values.profile ?? WORLD_NAME;
      const { world, settings, io: here } = openWorld(io, name);
      const { wallet } = await openWallet(here, settings, {}, isJson);
      const output = createOutput(io, isJson);
      const made = await found.run({
        world,
        connection: await openConnection(here, settings, {}, isJson),
        wallet,
        sign: await openDecisionKey(here, settings, wallet, { isAsked: false, output }),
        merchant: () => openMerchant(here, { profile: name }, isJson),
        connectionId: settings.profile.connection_id ?? '',
        profile: settings.profile,
        agentPayments: (apiKey) =>
          new AgentPaymentsClient({ ...clientOptions(here, settings, isJson), apiKey }),
        advance: async (ms) => {
          const { now, offset_ms } = await moveClock(world.viewer, ms);
          const clock_offset_ms = String(offset_ms);
          settings.profile.clock_offset_ms = clock_offset_ms;
          updateProfile(here, name, { clock_offset_ms });
          return new Date(now);
        },
      });
      return { document: { ...made, event }, text: `${event}: ${described(made)}` };
    },
  }),
];

function described(made: Made): string {
  const {
    payment_request: request,
    agent_payment: payment,
    outcome: ended,
    error,
  } = made as {
    payment_request?: PaymentRequest;
    agent_payment?: AgentPayment;
    outcome?: string;
    error?: { code: string };
  };
  if (payment) return `${payment.id} is ${payment.status}`;
  if (error) return error.code;
  if (!request) return 'done';
  const settlement = request.settlement ? `, settlement ${request.settlement.state}` : '';
  return `${request.request_id} is ${request.status}${settlement}${ended ? `, outcome ${ended}` : ''}`;
}
