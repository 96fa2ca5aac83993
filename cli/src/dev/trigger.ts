import { randomUUID } from 'node:crypto';
import {
  type ConnectionClient,
  isApiError,
  type MerchantClient,
  type PaymentRequest,
  type PaymentRequestStatus,
  type WalletClient,
} from '@payassent/sdk';
import { openConnection, openWallet } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { openMerchant } from '../merchant.ts';
import { listing } from '../output.ts';
import { updateProfile } from '../profile.ts';
import { simulatedHash } from '../wallet/payments.ts';
import { moveClock } from './clock.ts';
import { openWorld, type RunningWorld, WORLD_NAME, WORLD_OPTION } from './running.ts';

interface Hands {
  world: RunningWorld;
  connection: ConnectionClient;
  wallet: WalletClient;
  /** A session of a team member may have ended when the clock was moved: opened by what needs it. */
  merchant(): Promise<MerchantClient>;
  connectionId: string;
  beforeCreate?(requestId: string): Promise<unknown>;
  advance(ms: number): Promise<unknown>;
}

type Made = Record<string, unknown>;

/** Asks for a payment and lets the wallet report these statuses. */
async function paid(hands: Hands, ...statuses: PaymentRequestStatus[]): Promise<PaymentRequest> {
  const { connection, wallet, world } = hands;
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
    await wallet.paymentRequests.reportStatus(payment_request.request_id, { status, ...told });
  }
  return (await connection.paymentRequests.get(payment_request.request_id)).payment_request;
}

const payment =
  (...statuses: PaymentRequestStatus[]) =>
  async (hands: Hands): Promise<Made> => ({ payment_request: await paid(hands, ...statuses) });

const HOUR_MS = 3_600_000;

/** What can be made to happen, and how: always by the public API, as it happens in earnest. */
const TRIGGERS: Readonly<Record<string, { summary: string; run(hands: Hands): Promise<Made> }>> = {
  created: { summary: 'a request that waits for the user', run: payment() },
  approved: { summary: 'signed by the wallet', run: payment('signed') },
  broadcasted: { summary: 'signed and sent', run: payment('signed', 'broadcasted') },
  confirmed: { summary: 'the whole way', run: payment('signed', 'broadcasted', 'confirmed') },
  rejected: { summary: 'the user says no', run: payment('rejected') },
  failed: { summary: 'signed, then failed', run: payment('signed', 'failed') },
  expired: {
    summary: 'no decision in time; the test clock moves two hours',
    async run(hands) {
      const { request_id } = await paid(hands);
      await hands.advance(2 * HOUR_MS);
      const wait = { timeoutMs: 60_000 };
      return { payment_request: await hands.connection.paymentRequests.waitForStatus(request_id, wait) };
    },
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
    summary: 'the user pauses the connection, then resumes it',
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
      const made = await found.run({
        world,
        connection: await openConnection(here, settings, {}, isJson),
        wallet: (await openWallet(here, settings, {}, isJson)).wallet,
        merchant: () => openMerchant(here, { profile: name }, isJson),
        connectionId: settings.profile.connection_id ?? '',
        advance: async (ms) => {
          const { offset_ms } = await moveClock(world.viewer, ms);
          const clock_offset_ms = String(offset_ms);
          settings.profile.clock_offset_ms = clock_offset_ms;
          updateProfile(here, name, { clock_offset_ms });
        },
      });
      const { payment_request: request } = made as { payment_request?: PaymentRequest };
      const text = request ? `${event}: ${request.request_id} is ${request.status}` : `${event}: done`;
      return { document: { ...made, event }, text: text };
    },
  }),
];
