import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '@payassent/protocol';
import { type PublishedKey, verifyEvidence } from '@payassent/protocol/evidence';
import {
  type ConnectionClient,
  type Fetch,
  hasPinnedFacts,
  type PaymentRequest,
  type SignedDecision,
  type WalletClient,
} from '@payassent/sdk';
import { openConnection, openWallet } from '../clients.ts';
import { defineCommand, EXIT, type Io, LocalError } from '../command.ts';
import { createOutput, partyName, plain } from '../output.ts';
import { openDecisionKey, type SignShown } from '../wallet/decision-key.ts';
import { simulatedHash } from '../wallet/payments.ts';
import { sendOnChain } from './chain.ts';
import { startSeeded } from './index.ts';
import { type Actor, createNarration, type Narration } from './narration.ts';
import { findWorld, openWorld, type RunningWorld, WORLD_NAME, WORLD_OPTION } from './running.ts';

const AMOUNT = '12.50';
const PATIENCE_MS = 60_000;

interface Parties {
  world: RunningWorld;
  connection: ConnectionClient;
  wallet: WalletClient;
  /** Where the device has a decision key. */
  sign?: SignShown | undefined;
}

export const commands = [
  defineCommand({
    name: 'try',
    summary: 'one payment from the request to the proof: request, approve, confirm, verify',
    options: WORLD_OPTION,
    details: [
      'Prints each step in a sentence, with the calls that it took. In the world that payassent dev has started; without one,',
      'in a temporary world, from the sign-up of the merchant on. The wallet is simulated: its hash is made',
      'up and nothing is sent to any network. With --json one line per step.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const output = createOutput(io, isJson);
      const narration = createNarration(output);
      const name = values.profile ?? WORLD_NAME;
      let ownWorld: Awaited<ReturnType<typeof startSeeded>> | undefined;
      try {
        if (findWorld(io, name) || values.profile !== undefined) {
          const { world, settings, io: here } = openWorld(io, name);
          const as = (actor: Actor): Io => ({ ...here, fetch: narration.fetchAs(actor) });
          const connection = await openConnection(as('agent'), settings, {}, isJson);
          const { wallet } = await openWallet(as('wallet'), settings, {}, isJson);
          const sign = await openDecisionKey(here, settings, wallet, { isAsked: false, output });
          const { service, merchant } = world;
          narration.tell('service', { url: service }, `${service}   with the agent of ${merchant.name}`);
          return await pay(io.signal, narration, { world, connection, wallet, sign });
        }
        output.note('No world runs; starting one for this payment …');
        ownWorld = await startSeeded(io.signal, narration, () => undefined);
        return await pay(io.signal, narration, { ...ownWorld, world: ownWorld.running });
      } catch (error) {
        narration.giveUp();
        throw error;
      } finally {
        await ownWorld?.stop();
      }
    },
  }),
];

async function pay(signal: AbortSignal, narration: Narration, parties: Parties): Promise<number> {
  const { world, connection, wallet, sign } = parties;
  const { tell } = narration;
  const input = { recipient_id: world.payees[0]?.recipient_id ?? '', payment: { amount: AMOUNT } };
  const { payment_request: asked } = await connection.paymentRequests.create(input, {
    idempotencyKey: randomUUID(),
    signal,
  });
  const { request_id, payment, payee } = asked;
  const what = `${payment.amount} ${payment.asset} to ${partyName(payee.name)} (${plain(payee.domain)})`;
  tell(
    'asked',
    { request_id, status: asked.status },
    `The agent requests ${what}. It is ${asked.status}: the customer has to decide, nothing is paid.`,
  );
  const { payment_request: seen } = await wallet.paymentRequests.get(request_id, {}, { signal });
  if (!hasPinnedFacts(seen)) throw new LocalError('facts_differ', 'The wallet was shown other facts.');
  tell(
    'shown',
    { facts_digest: seen.facts_digest },
    `The wallet shows ${payment.to}, memo ${payment.memo}: as the merchant pinned it, not as the agent describes it.`,
  );
  const tx_hash = simulatedHash(seen);
  const report = (status: 'signed' | 'broadcasted' | 'confirmed', more: { decision?: SignedDecision } = {}) =>
    wallet.paymentRequests.reportStatus(request_id, { status, tx_hash, ...more }, { signal });
  await report('signed', sign && { decision: await sign(seen, null, 'approve') });
  tell('approved', { tx_hash }, 'The customer approves, the simulated wallet signs.');
  await sendOnChain(world, tx_hash, seen.payment);
  await report('broadcasted');
  tell(
    'sent',
    { tx_hash },
    `The wallet broadcasts ${tx_hash.slice(0, 16)}…, a made-up hash: no network is touched.`,
  );
  await report('confirmed');
  const { payment_request: paid } = await connection.paymentRequests.get(request_id, { signal });
  tell(
    'confirmed',
    { status: paid.status },
    `The agent reads ${paid.status}, which is the wallet's report; settlement is what a chain shows.`,
  );
  const webhooks = await webhooksOf(world, paid, signal);
  tell(
    'heard',
    { webhooks },
    `The merchant received webhooks, each verified over its bytes: ${webhooks.join(', ')}.`,
  );
  const claims = await proof(narration.fetchAs('anyone'), world, connection, paid, signal);
  tell('verified', { claims }, `The evidence holds, verified without the service: ${claims.join(', ')}.`);
  tell('done', { request_id, status: paid.status }, `${plain(request_id)} is ${paid.status}`);
  return EXIT.ok;
}

/** Waits for something that happens asynchronously a little later. */
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

/** The statuses of the genuine webhooks that the merchant's receiver got. */
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

/** The claims of the evidence that hold, once the end of the payment is in the log. */
async function proof(
  fetchKeys: Fetch,
  world: RunningWorld,
  connection: ConnectionClient,
  paid: PaymentRequest,
  signal: AbortSignal,
): Promise<string[]> {
  const published = await fetchKeys(`${world.service}/.well-known/svc-keys.json`, { signal });
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
