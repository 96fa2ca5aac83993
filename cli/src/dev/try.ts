import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '@payassent/protocol';
import { type PublishedKey, verifyEvidence } from '@payassent/protocol/evidence';
import {
  type ConnectionClient,
  hasPinnedFacts,
  type PaymentRequest,
  type WalletClient,
} from '@payassent/sdk';
import { openConnection, openWallet } from '../clients.ts';
import { defineCommand, type Io } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { LocalError } from '../local-error.ts';
import { createOutput, type Output, partyName, plain } from '../output.ts';
import { simulatedHash } from '../wallet/report.ts';
import { findWorld, openWorld, type RunningWorld, WORLD_NAME, WORLD_OPTION } from './world-file.ts';

const AMOUNT = '12.50';
const PATIENCE_MS = 60_000;

interface Parties {
  world: RunningWorld;
  connection: ConnectionClient;
  wallet: WalletClient;
}

export const tryCommand = defineCommand({
  name: 'try',
  summary: 'one payment from the first word to the proof: ask, approve, confirm, verify',
  options: WORLD_OPTION,
  details: [
    'In the world that payassent dev has started; without one, in a world of its own that ends with it. The wallet is',
    'simulated: its hash is made up and nothing is sent to any network. With --json one line per step.',
  ].join('\n'),
  async run(io, { values, isJson }) {
    const output = createOutput(io, isJson);
    const name = values.profile ?? WORLD_NAME;
    if (findWorld(io, name) || values.profile !== undefined) {
      const { world, settings, io: here } = openWorld(io, name);
      const connection = await openConnection(here, settings, {}, isJson);
      const { wallet } = await openWallet(here, settings, {}, isJson);
      return pay(io, output, { world, connection, wallet });
    }
    output.note('No world runs; starting one for this payment …');
    const { startSeededWorld } = await import('./start.ts');
    const seeded = await startSeededWorld({ signal: io.signal, say: () => undefined });
    try {
      return await pay(io, output, { world: seeded.running, ...seeded.connected });
    } finally {
      await seeded.stop();
    }
  },
});

async function pay(io: Io, output: Output, { world, connection, wallet }: Parties): Promise<number> {
  const { signal } = io;
  const tell = (step: string, document: object, text: string) =>
    output.result({ step, ...document }, `${step.padEnd(11)} ${text}`);
  tell('service', { url: world.service }, `${world.service}   the agent of ${world.merchant.name}`);
  const input = { recipient_id: world.payees[0]?.recipient_id ?? '', payment: { amount: AMOUNT } };
  const { payment_request: asked } = await connection.paymentRequests.create(input, {
    idempotencyKey: randomUUID(),
    signal,
  });
  const { request_id, payment, payee } = asked;
  const what = `${payment.amount} ${payment.asset} to ${partyName(payee.name)} (${plain(payee.domain)})`;
  tell('asked', { request_id, status: asked.status }, `${what}: the user is asked, nothing is paid`);
  const { payment_request: seen } = await wallet.paymentRequests.get(request_id, {}, { signal });
  if (!hasPinnedFacts(seen)) throw new LocalError('facts_differ', 'The wallet was shown other facts.');
  tell(
    'shown',
    { facts_digest: seen.facts_digest },
    `${payment.to}, memo ${payment.memo}: as the merchant fixed it`,
  );
  const tx_hash = simulatedHash(seen);
  await wallet.paymentRequests.reportStatus(request_id, { status: 'signed', tx_hash }, { signal });
  tell('approved', { tx_hash }, 'by the user, signed by the simulated wallet');
  await wallet.paymentRequests.reportStatus(request_id, { status: 'broadcasted', tx_hash }, { signal });
  tell('sent', { tx_hash }, `made-up hash ${tx_hash.slice(0, 16)}…, no network is touched`);
  await wallet.paymentRequests.reportStatus(request_id, { status: 'confirmed', tx_hash }, { signal });
  const { payment_request: paid } = await connection.paymentRequests.get(request_id, { signal });
  tell('confirmed', { status: paid.status }, `${paid.status} is what the wallet says; the agent reads it`);
  const heard = await webhooksOf(world, paid, signal);
  tell('heard', { webhooks: heard }, `${heard.join(', ')}: webhooks, each verified over its bytes`);
  const claims = await proof(world, connection, paid, signal);
  tell('verified', { claims }, `without the service: ${claims.join(', ')}`);
  tell('done', { request_id, status: paid.status }, `${plain(request_id)} is ${paid.status}`);
  return EXIT.ok;
}

/** Waits for what comes by itself a little later. */
async function eventually<T>(
  look: () => Promise<T | undefined>,
  what: string,
  signal: AbortSignal,
): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50, undefined, { signal });
  }
  throw new LocalError('not_in_time', `${what} did not come within a minute.`);
}

/** The statuses that the merchant's receiver was told, genuine messages only. */
function webhooksOf(world: RunningWorld, paid: PaymentRequest, signal: AbortSignal): Promise<string[]> {
  interface Heard {
    verdict: string;
    event: { type: string; data: { payment_request?: { request_id: string } } };
  }
  return eventually(
    async () => {
      const all = (await (await fetch(`${world.webhooks}/webhooks.json`, { signal })).json()) as Heard[];
      const ours = all.filter(
        ({ verdict, event }) =>
          verdict === 'genuine' && event.data?.payment_request?.request_id === paid.request_id,
      );
      const types = ours.map(({ event }) => event.type.replace('payment_request.', ''));
      return types.includes(paid.status) ? [...new Set(types)] : undefined;
    },
    'The webhook',
    signal,
  );
}

/** The claims of the evidence that hold, once the end of the payment stands in the log. */
async function proof(
  world: RunningWorld,
  connection: ConnectionClient,
  paid: PaymentRequest,
  signal: AbortSignal,
): Promise<string[]> {
  const published = await fetch(`${world.service}/.well-known/svc-keys.json`, { signal });
  const { keys } = (await published.json()) as { keys: PublishedKey[] };
  return eventually(
    async () => {
      const bundle = await connection.paymentRequests.evidence(paid.request_id, { signal });
      const { ok, claims } = verifyEvidence(canonicalJson(bundle), { keys });
      const broken = claims.filter(({ status }) => status === 'broken').map(({ explanation }) => explanation);
      if (!ok) throw new LocalError('evidence_broken', broken.join(' '));
      const holding = claims.filter(({ status }) => status === 'holds').map(({ claim }) => claim);
      return holding.includes('final_logged') ? holding : undefined;
    },
    'The entry in the log',
    signal,
  );
}
