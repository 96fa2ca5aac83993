// Long: each test waits for observers of a chain.

import { succeed } from '@payassent/proof/people/merchants';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import {
  broadcasted,
  newHash,
  passSecond,
  settledAs,
  startHorizons,
} from '@payassent/proof/people/settlements';
import { activeEndpoint, answering, eventsAt, until, verified } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';

let service: TestService;
let stage: PaymentStage;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
beforeAll(async () => {
  const started = await startHorizons(3);
  ({ horizons, close } = started);
  service = await startService(started.options);
  stage = await paymentStage(service);
});
afterAll(async () => {
  await service.close();
  await close();
});
beforeEach(() => {
  for (const horizon of horizons) horizon.behaves(undefined);
});

const become = (requestId: string, state: string) => settledAs(service, stage, requestId, state);
const eventsOf = async (requestId: string) =>
  (await allEvents(service, stage)).filter((event) => event.request_id === requestId);
const readHealth = async () => (await service.call('GET', '/health')).body;
/** Brings every source back: one that was silent is skipped for a while. */
const allUp = () =>
  until(async () => (await readHealth()).checks.settlement.stellar_testnet.sources_up === 3, 120_000);

// First, while the service's clock is its database's: later tests let time pass.
it('sources that are all away make a payment unknown, never unseen, and the service stays ready', async () => {
  for (const horizon of horizons) horizon.behaves({ kind: 'reset', when: 'before-headers' });
  const { request } = await broadcasted(service, stage);
  const settlement = await until(async () => {
    const { payment_request } = (await succeed(readRequest(service, stage, request.request_id))).body;
    return payment_request.settlement ?? undefined;
  }, 60_000);
  expect(settlement).toMatchObject({ state: 'unknown', sources: { asked: 3, agreed: 0 }, transaction: null });
  const ready = await service.call('GET', '/ready');
  expect(ready.status).toBe(200);
  expect((await readHealth()).checks.settlement).toEqual({
    stellar_testnet: { lag_s: expect.any(Number), sources_up: 0 },
  });
  const metrics = (await service.call('GET', '/metrics')).text;
  expect(metrics).toMatch(/^svc_settlement_sources_up\{network="stellar_testnet"\} 0$/m);
  expect(metrics).toMatch(/^svc_settlement_changes_total\{network="stellar_testnet",state="unknown"\} 1$/m);
  for (const horizon of horizons) horizon.behaves(undefined);
  await become(request.request_id, 'unseen');
  await allUp();
});

describe('a payment request on an observed network', () => {
  it('carries the settlement next to the wallet’s report, and each change is one event, in its place and by webhook', async () => {
    const receiver = await startHttpReceiver();
    receiver.script(answering());
    const { secret } = await activeEndpoint(service, stage.merchant, receiver, {
      event_types: ['payment_request.settlement_updated'],
    });
    const { request, txHash } = await broadcasted(service, stage);
    const { request_id: id, payment } = request;
    const unseen = await become(id, 'unseen');
    expect(unseen.settlement).toMatchObject({ sources: { asked: 3, agreed: 3 }, transaction: null });
    for (const horizon of horizons) horizon.has(txHash, payment);
    const final = await become(id, 'final');
    expect(final).toMatchObject({ status: 'broadcasted', state_version: 3, is_final: false });
    expect(final.settlement).toMatchObject({ sources: { asked: 3, agreed: 3 }, differences: [] });
    const { to, amount } = payment;
    expect(final.settlement.transaction).toMatchObject({
      tx_hash: txHash,
      confirmations: 1,
      memo: null,
      payments: [{ to, asset: 'XLM', amount: String(Number(amount)) }],
    });
    await succeed(report(service, stage, id, { status: 'confirmed' }));

    const events = await eventsOf(id);
    expect(events.map((event) => event.settlement_state ?? event.status)).toEqual([
      'signed',
      'broadcasted',
      'unseen',
      'final',
      'confirmed',
    ]);
    const about = {
      status: 'broadcasted',
      previous_status: 'broadcasted',
      state_version: 3,
      tx_hash: txHash,
    };
    for (const event of events.slice(2, 4))
      expect(event).toMatchObject({
        ...about,
        type: 'payment_request.settlement_updated',
        actor: 'observer',
      });
    const all = await allEvents(service, stage);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_event, index) => index + 1));
    const path = `/v1/payment-requests/${id}/events`;
    const history = (await succeed(service.call('GET', path, { session: stage.merchant.session }))).body;
    expect(history.events).toEqual(events);

    const messages = await until(() => {
      const found = eventsAt(receiver).map((message) => verified(message, secret));
      return found.length === 2 && found;
    });
    expect(messages.map(({ id, sequence }) => [id, sequence])).toEqual(
      events.slice(2, 4).map(({ event_id, sequence }) => [event_id, sequence]),
    );
    expect(messages.map(({ data }) => data.payment_request.settlement.state)).toEqual(['unseen', 'final']);
    await receiver.close();
  });

  it('stays confirmed and unseen when a wallet confirms a transaction that no one made', async () => {
    const { request } = await broadcasted(service, stage);
    await succeed(report(service, stage, request.request_id, { status: 'confirmed' }));
    expect(await become(request.request_id, 'unseen')).toMatchObject({ status: 'confirmed', is_final: true });
  });

  it.each([
    ['too little', { amount: '12.4999999' }, 'mismatch', ['amount']],
    ['too much', { amount: '12.51' }, 'mismatch', ['amount']],
    ['a memo that nobody asked for', { memo: 'hello' }, 'mismatch', ['memo']],
    ['nothing, because it failed', { isFailed: true }, 'failed_on_chain', []],
  ] as const)('that pays %s shows that in its settlement', async (_what, change, state, facts) => {
    const { request, txHash } = await broadcasted(service, stage);
    for (const horizon of horizons) horizon.has(txHash, { ...request.payment, ...change });
    const { settlement, status } = await become(request.request_id, state);
    expect(settlement.differences.map(({ fact }: { fact: string }) => fact)).toEqual(facts);
    expect(status).toBe('broadcasted');
  });

  it('has no settlement before it has a transaction, nor when it ends without one', async () => {
    const { request_id } = await pendingRequest(service, stage);
    await succeed(report(service, stage, request_id, { status: 'rejected', reason_code: 'user_rejected' }));
    const { payment_request } = (await succeed(readRequest(service, stage, request_id))).body;
    expect(payment_request.settlement).toBeNull();
    expect(await service.db`select from observations where record_id = ${request_id}`).toHaveLength(0);
  });

  it('is observed when its hash comes later, with a repeat', async () => {
    const { request_id, payment } = await pendingRequest(service, stage);
    const txHash = newHash();
    for (const horizon of horizons) horizon.has(txHash, payment);
    await succeed(report(service, stage, request_id, { status: 'signed' }));
    await succeed(report(service, stage, request_id, { status: 'signed', tx_hash: txHash }));
    expect(await become(request_id, 'final')).toMatchObject({ status: 'signed', state_version: 2 });
  });

  it('is no longer observed seven days after its last change, and keeps its settlement', async () => {
    const { request, txHash } = await broadcasted(service, stage);
    for (const horizon of horizons) horizon.has(txHash, request.payment);
    const { settlement } = await become(request.request_id, 'final');
    const watched = () => service.db`select from observations where record_id = ${request.request_id}`;
    service.clock.advance(6.9 * DAY_MS);
    await until(async () => {
      const now = (await succeed(readRequest(service, stage, request.request_id))).body.payment_request;
      return now.settlement.checked_at !== settlement.checked_at;
    }, 60_000);
    expect(await watched()).toHaveLength(1);
    service.clock.advance(0.2 * DAY_MS);
    await until(async () => (await watched()).length === 0, 60_000);
    const { payment_request } = (await succeed(readRequest(service, stage, request.request_id))).body;
    expect(payment_request.settlement.state).toBe('final');
  });
});

describe('of three sources', () => {
  it('a false one, a broken one or one that is away never makes or prevents a final state', async () => {
    const [liar, ...honest] = horizons;
    const told = await broadcasted(service, stage);
    for (const horizon of honest) horizon.has(told.txHash, told.request.payment);
    liar?.has(told.txHash, { ...told.request.payment, amount: '1' });
    const final = await become(told.request.request_id, 'final');
    expect(final.settlement.sources).toEqual({ asked: 3, agreed: 2 });

    for (const behaviour of [{ kind: 'garbage' }, { kind: 'answer', body: '<html>' }] as const) {
      liar?.behaves(behaviour);
      const { request, txHash } = await broadcasted(service, stage);
      for (const horizon of honest) horizon.has(txHash, request.payment);
      const { settlement } = await become(request.request_id, 'final');
      expect(settlement.sources.agreed).toBe(2);
    }
    liar?.behaves(undefined);
    const alone = await broadcasted(service, stage);
    liar?.has(alone.txHash, alone.request.payment);
    const seen = await become(alone.request.request_id, 'seen');
    expect(seen.settlement.sources).toEqual({ asked: 3, agreed: 1 });
    for (const horizon of horizons) horizon.lacks(alone.txHash);
    await become(alone.request.request_id, 'unseen');
    await allUp();
  });

  it('silence takes back nothing that a majority has closed; a majority that reports a reorganization does', async () => {
    const { request, txHash } = await broadcasted(service, stage);
    for (const horizon of horizons) horizon.has(txHash, request.payment);
    const { settlement } = await become(request.request_id, 'final');
    const checkedAgain = (since: string) =>
      until(async () => {
        passSecond(service);
        const now = (await succeed(readRequest(service, stage, request.request_id))).body.payment_request;
        return now.settlement.checked_at > since && now.settlement;
      }, 90_000);
    for (const horizon of horizons) horizon.behaves({ kind: 'reset', when: 'before-headers' });
    const kept = await checkedAgain(settlement.checked_at);
    expect(kept.state).toBe('final');
    for (const horizon of horizons) horizon.behaves(undefined);
    await allUp();
    horizons[0]?.lacks(txHash);
    expect((await checkedAgain(kept.checked_at)).state).toBe('final');
    horizons[1]?.lacks(txHash);
    await become(request.request_id, 'seen');
    horizons[2]?.lacks(txHash);
    await become(request.request_id, 'unseen');
    // The first lookup may have been before the chain had it.
    const states = (await eventsOf(request.request_id)).flatMap((event) => event.settlement_state ?? []);
    expect(states.slice(states.indexOf('final'))).toEqual(['final', 'seen', 'unseen']);
  }, 240_000);
});

it('only a report that brings a transaction uses the queue of checks', async () => {
  // Jobs do, and would wait for the few connections that calls need here.
  await service.restart({ jobs: false });
  await service.db.begin(async (tx) => {
    await tx`lock table observations in access exclusive mode`;
    const made = (await succeed(postRequest(service, stage))).body.payment_request;
    await succeed(readRequest(service, stage, made.request_id));
    await succeed(report(service, stage, made.request_id, { status: 'signed' }));
    await allEvents(service, stage);
  });
});
