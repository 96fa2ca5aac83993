// Long: each test waits for observers of a chain.
import { type Autonomy, autonomy, pay, report as reportPayment } from '@payassent/proof/people/autonomy';
import { allIntegrated, evidenceOf } from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
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
import { until } from '@payassent/proof/people/webhooks';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { StandInHorizon, ToldTransaction } from '@payassent/proof/surroundings/stand-in-horizon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../db/open.ts';
import { endClaims, holdClaims, insertClaims, readClaims } from './claim-sql.ts';
import type { Observation } from './queue-sql.ts';

const CLAIMED = [{ fact: 'claimed', pinned: null, observed: null }];

let service: TestService;
let stage: PaymentStage;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
beforeAll(async () => {
  const started = await startHorizons(2);
  ({ horizons, close } = started);
  service = await startService(started.options);
  stage = await paymentStage(service);
});
afterAll(async () => {
  await service.close();
  await close();
});

const become = (requestId: string, state: string) => settledAs(service, stage, requestId, state);
const tell = (txHash: string, told: ToldTransaction) => {
  for (const horizon of horizons) horizon.has(txHash, told);
};
const claims = (txHash: string) =>
  service.db`select record_id, payment, trim_scale(amount)::text as amount from settlement_claims
    where tx_hash = ${txHash} order by payment`;
/** Lets time pass until every one of them is final on the chain. */
async function ended(requestIds: readonly string[]): Promise<Body[]> {
  return until(async () => {
    passSecond(service);
    const reads = requestIds.map((id) => succeed(readRequest(service, stage, id)));
    const found = (await Promise.all(reads)).map(({ body }) => body.payment_request);
    return found.every(({ settlement }) => ['final', 'mismatch'].includes(settlement?.state)) && found;
  }, 90_000);
}

it('claims on a Bitcoin Cash script are the same for both spellings of its address', async () => {
  const [plain, tokenAware] = [
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    'bitcoincash:zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w',
  ];
  const txHash = newHash();
  const nameOf = (record_id: string, to: string): Observation => ({
    merchant_id: stage.merchant.merchantId,
    connection_id: stage.connectionId,
    kind: 'payment_request',
    record_id,
    network: 'bitcoin_cash_mainnet',
    tx_hash: txHash,
    pinned: { network: 'bitcoin_cash_mainnet', to, asset: 'BCH', amount: '1' } as never,
    before: null,
  });
  const [first, second] = [nameOf('pr_plain', plain), nameOf('pr_aware', tokenAware)];
  await transaction(service.db, async (tx) => {
    for (const name of [first, second]) await holdClaims(tx, name);
    const locks = await tx`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
    expect(locks).toHaveLength(1);
    await insertClaims(tx, second, txHash, [{ payment: 0, amount: '1' }], service.clock.now());
    expect(await readClaims(tx, first, txHash)).toEqual([{ payment: 0, amount: '1' }]);
    await endClaims(tx, second, txHash, service.clock.now());
  });
});

describe('a transaction', () => {
  it('that is older than the request is not final', async () => {
    const { request, txHash } = await broadcasted(service, stage);
    const closedAt = new Date(Date.parse(request.created_at) - 121_000).toISOString();
    tell(txHash, { ...request.payment, closedAt });
    const { settlement } = await become(request.request_id, 'mismatch');
    expect(settlement.differences).toEqual([
      { fact: 'time', pinned: request.created_at, observed: closedAt },
    ]);
    expect(await claims(txHash)).toHaveLength(0);
  });

  it('that pays once settles one request, whichever of two that name it in a race', async () => {
    const txHash = newHash();
    const first = await broadcasted(service, stage, txHash);
    const second = await broadcasted(service, stage, txHash.toUpperCase());
    tell(txHash, first.request.payment);
    const found = await ended([first.request.request_id, second.request.request_id]);
    expect(found.map(({ settlement }) => settlement.state).sort()).toEqual(['final', 'mismatch']);
    const other = found.find(({ settlement }) => settlement.state === 'mismatch');
    expect(other?.settlement.differences).toEqual(CLAIMED);
    expect(await claims(txHash)).toHaveLength(1);
    const states = async () =>
      (await ended(found.map(({ request_id }) => request_id))).map(({ settlement }) => settlement.state);
    const before = await states();
    service.clock.advance(60_000);
    expect(await states()).toEqual(before);
  });

  it('that makes two payments settles two requests, each by its own, and not a third', async () => {
    const txHash = newHash();
    const asked = [];
    for (let count = 0; count < 3; count += 1) asked.push(await broadcasted(service, stage, txHash));
    const payment = asked[0]?.request.payment;
    tell(txHash, { ...payment, others: [payment] });
    const found = await ended(asked.map((each) => each.request.request_id));
    expect(found.map(({ settlement }) => settlement.state).sort()).toEqual(['final', 'final', 'mismatch']);
    expect((await claims(txHash)).map(({ payment, amount }) => [payment, amount])).toEqual([
      [0, '12.5'],
      [1, '12.5'],
    ]);
  });

  it('that gives the payee as much as it takes is not final', async () => {
    const { request, txHash } = await broadcasted(service, stage);
    tell(txHash, { ...request.payment, debited: request.payment.amount });
    const { settlement } = await become(request.request_id, 'mismatch');
    expect(settlement.differences).toEqual([
      { fact: 'amount', pinned: request.payment.amount, observed: '0' },
    ]);
  });

  it('goes by the hash of its fee bump, and the inner hash settles no second request', async () => {
    const [inner, feeBump] = [newHash(), newHash()];
    const first = await broadcasted(service, stage, inner);
    tell(inner, { ...first.request.payment, feeBump });
    const final = await become(first.request.request_id, 'final');
    expect(final).toMatchObject({ tx_hash: inner, settlement: { transaction: { tx_hash: feeBump } } });
    const second = await broadcasted(service, stage, feeBump);
    const { settlement } = await become(second.request.request_id, 'mismatch');
    expect(settlement.differences).toEqual(CLAIMED);
  });

  it('is free again when a reorganization takes it from the request that had claimed it', async () => {
    const txHash = newHash();
    const first = await broadcasted(service, stage, txHash);
    tell(txHash, first.request.payment);
    await become(first.request.request_id, 'final');
    const second = await broadcasted(service, stage, txHash);
    await become(second.request.request_id, 'mismatch');
    const [firstId, secondId] = [first.request.request_id, second.request.request_id];
    // The second is no longer scheduled: the end of the claim wakes it.
    await service.db`delete from observations where record_id = ${secondId}`;
    for (const horizon of horizons) horizon.lacks(txHash);
    await become(firstId, 'unseen');
    await become(secondId, 'unseen');
    expect(await claims(txHash)).toHaveLength(0);
    await service.db`delete from observations where record_id = ${firstId}`;
    tell(txHash, first.request.payment);
    await become(secondId, 'final');
    expect(await claims(txHash)).toMatchObject([{ record_id: secondId }]);
  });

  it('is free again for a request whose only difference was the claim, where only the other one is taken back', async () => {
    const txHash = newHash();
    const first = await broadcasted(service, stage, txHash);
    tell(txHash, first.request.payment);
    await become(first.request.request_id, 'final');
    const second = await broadcasted(service, stage, txHash);
    const { request_id: id } = second.request;
    await become(id, 'mismatch');
    await succeed(report(service, stage, id, { status: 'confirmed' }));
    await allIntegrated(service);
    const bearer = stage.connectionToken;
    const proved = async () => JSON.parse(await evidenceOf(service, id, { bearer })).settlement;
    expect(await proved()).toMatchObject({ state: 'mismatch', differences: CLAIMED });
    await service.db`delete from settlement_claims where tx_hash = ${txHash}`;
    const final = await become(id, 'final');
    expect(final.settlement.differences).toEqual([]);
    expect(await proved()).toMatchObject({ state: 'final' });
  });
});

describe('every spelling of a hash is one hash', () => {
  it('in the record, in events and in a repeat', async () => {
    const { request_id: id, payment } = await pendingRequest(service, stage);
    const txHash = newHash();
    tell(txHash, payment);
    const mixed = `0x${[...txHash].map((letter, place) => (place % 2 ? letter.toUpperCase() : letter)).join('')}`;
    const said = (await succeed(report(service, stage, id, { status: 'signed', tx_hash: mixed }))).body;
    expect(said.payment_request.tx_hash).toBe(txHash);
    expect(said.event.tx_hash).toBe(txHash);
    for (const spelling of [txHash, txHash.toUpperCase(), mixed, `0x${txHash}`]) {
      const again = await succeed(report(service, stage, id, { status: 'signed', tx_hash: spelling }));
      expect(again.body).toMatchObject({ event: null, payment_request: { tx_hash: txHash } });
    }
    const sent = { status: 'broadcasted', tx_hash: txHash.toUpperCase() };
    expect((await succeed(report(service, stage, id, sent))).body.event.tx_hash).toBe(txHash);
    const other = await report(service, stage, id, { status: 'broadcasted', tx_hash: newHash() });
    expect(other.body.error.code).toBe('status_conflict');
    await become(id, 'final');
  });

  it('when it comes later, with a repeat', async () => {
    const { request_id: id } = await pendingRequest(service, stage);
    const txHash = newHash();
    await succeed(report(service, stage, id, { status: 'signed' }));
    const late = { status: 'signed', tx_hash: `0X${txHash.toUpperCase()}` };
    const added = (await succeed(report(service, stage, id, late))).body.payment_request;
    expect(added.tx_hash).toBe(txHash);
  });
});

describe('payment requests and agent payments together', () => {
  let world: Autonomy;
  beforeAll(async () => {
    world = await autonomy(service);
  });

  it('take a payment to one address once, in a race and in whatever spelling', async () => {
    const txHash = newHash();
    const human = { initiated_by: 'human' };
    const payment = (await succeed(pay(service, world, '1.5', human, { bearer: world.admin }))).body.data;
    await succeed(reportPayment(service, world, payment.id, 'signed'));
    for (const spelling of [txHash.toUpperCase(), `0x${txHash}`, txHash]) {
      const sent = { tx_hash: spelling };
      const { data } = (await succeed(reportPayment(service, world, payment.id, 'broadcasted', sent))).body;
      expect(data.tx_hash).toBe(txHash);
    }
    const request = await pendingRequest(service, world, { payment: { amount: '1.5' } });
    expect(request.payment.to).toBe(payment.to);
    const named = { status: 'signed', tx_hash: `0x${txHash}` };
    await succeed(report(service, world, request.request_id, named));
    tell(txHash, { to: payment.to, amount: '1.5' });
    const bearer = world.connectionToken;
    const found = await until(async () => {
      passSecond(service);
      const [paid, asked] = await Promise.all([
        succeed(service.call('GET', `/v1/agent-payments/${payment.id}`, { bearer })),
        succeed(readRequest(service, world, request.request_id)),
      ]);
      const both: Body[] = [paid.body.data.settlement, asked.body.payment_request.settlement];
      return both.every((settlement) => ['final', 'mismatch'].includes(settlement?.state)) && both;
    }, 90_000);
    expect(found.map(({ state }) => state).sort()).toEqual(['final', 'mismatch']);
    expect(found.find(({ state }) => state === 'mismatch')?.differences).toEqual(CLAIMED);
    expect(await claims(txHash)).toHaveLength(1);
  });
});
