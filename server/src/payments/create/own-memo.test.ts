import { readKeys } from '@payassent/proof/log/public-log';
import { autonomy, pay } from '@payassent/proof/people/autonomy';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { finishedPayment } from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee, payeeFacts } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { broadcasted, settledAs, startHorizons } from '@payassent/proof/people/settlements';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import { factsDigest, requestMemo } from '@payassent/protocol';
import { verifyEvidence } from '@payassent/protocol/evidence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownMemo } from './own-memo.ts';

let service: TestService;
let stage: PaymentStage;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
beforeAll(async () => {
  const started = await startHorizons(1);
  ({ horizons, close } = started);
  const env = { ...started.options.env, SVC_ENABLED_NETWORKS: 'stellar_testnet,xrpl_mainnet' };
  service = await startService({ ...started.options, env });
  const plain = await paymentStage(service);
  stage = { ...plain, payee: await activePayee(service, plain.merchant, { memo_policy: 'request' }) };
});
afterAll(async () => {
  await service.close();
  await close();
});

describe('a payee whose requests each have a memo', () => {
  it('gives every request another memo, which is pinned, in the digest and in the payment link', async () => {
    const requests = [await pendingRequest(service, stage), await pendingRequest(service, stage)];
    expect(new Set(requests.map(({ payment }) => payment.memo)).size).toBe(2);
    for (const request of requests) {
      const { payment, payee, connection_id, request_id } = request;
      const facts = { ...payment, recipient_version_id: payee.recipient_version_id };
      expect(payment).toMatchObject({ memo: expect.stringMatching(/^[0-9a-f]{64}$/), memo_type: 'hash' });
      expect(requestMemo(facts, { connection_id, request_id })).toBe(payment.memo);
      expect(factsDigest(facts)).toBe(request.facts_digest);
      const path = `/v1/payment-requests/${request_id}`;
      const read = await succeed(service.call('GET', path, { device: deviceOf(stage.device) }));
      const uri = new URL(read.body.payment_request.payment_uri);
      expect(uri.searchParams.get('memo_type')).toBe('MEMO_HASH');
      expect(uri.searchParams.get('memo')).toBe(Buffer.from(payment.memo, 'hex').toString('base64'));
    }
  });

  it('is shown with its policy, and a repeat of a create keeps the memo', async () => {
    const { session } = stage.merchant;
    const version = (
      await succeed(service.call('GET', `/v1/recipients/${stage.payee.recipientId}`, { session }))
    ).body.recipient_versions[0];
    expect(version).toMatchObject({ memo: null, memo_policy: 'request' });
    const bearer = stage.connectionToken;
    const { payee } = (
      await succeed(service.call('GET', `/v1/payees/${stage.payee.recipientId}`, { bearer }))
    ).body;
    expect(payee.payment.memo_policy).toBe('request');
    const body = paymentBody(stage);
    const { preview } = (
      await succeed(service.call('POST', '/v1/payment-requests/preview', { bearer, body }))
    ).body;
    expect(preview.payment.memo).toBeNull();
    const sent = { idempotencyKey: 'once' };
    const [first, again] = [
      await succeed(postRequest(service, stage, {}, sent)),
      await succeed(postRequest(service, stage, {}, sent)),
    ];
    expect(again.body.payment_request.payment).toEqual(first.body.payment_request.payment);
  });

  it('settles by its own memo alone: the payment of another request is a difference', async () => {
    const [mine, other] = [await broadcasted(service, stage), await broadcasted(service, stage)];
    for (const horizon of horizons)
      for (const { txHash } of [mine, other])
        horizon.has(txHash, { ...mine.request.payment, memoHash: mine.request.payment.memo });
    await settledAs(service, stage, mine.request.request_id, 'final');
    const { settlement } = await settledAs(service, stage, other.request.request_id, 'mismatch');
    expect(settlement.differences).toEqual([
      {
        fact: 'memo',
        pinned: `hash:${other.request.payment.memo}`,
        observed: `hash:${mine.request.payment.memo}`,
      },
    ]);
  });

  it('is proved by a bundle that a verifier computes again', async () => {
    const key = newDecisionKey();
    await succeed(putKey(service, stage.device, key));
    const { bundle } = await finishedPayment(service, stage, key, 'rejected');
    const keys = await readKeys(service.url);
    const outcomes = (text: string) =>
      verifyEvidence(text, { keys }).claims.find(({ claim }) => claim === 'payee')?.status;
    expect(outcomes(bundle)).toBe('holds');
    const told = JSON.parse(bundle);
    expect(told.payee.facts.memo_policy).toBe('request');
    told.request.payment.memo = 'ab'.repeat(32);
    expect(outcomes(JSON.stringify(told))).toBe('broken');
  });

  it('refuses what cannot be: a memo next to it', async () => {
    const body = { name: 'Shop', ...payeeFacts(), memo: '7', memo_policy: 'request' };
    const refused = await service.call('POST', '/v1/recipients', { session: stage.merchant.session, body });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ field: 'memo_policy', issues: [{ code: 'invalid_format' }] });
  });
});

it('an agent payment to such a payee carries a generated memo', async () => {
  const world = await autonomy(service);
  const payee = await activePayee(service, world.merchant, { memo_policy: 'request' });
  const human = { initiated_by: 'human', recipient_id: payee.recipientId };
  const { data } = (await succeed(pay(service, world, '1.5', human, { bearer: world.admin }))).body;
  expect(data).toMatchObject({ memo: expect.stringMatching(/^[0-9a-f]{64}$/), memo_type: 'hash' });
  const { id, connection_id, memo, facts_digest, ...facts } = data;
  expect(requestMemo(facts, { connection_id, agent_payment_id: id })).toBe(memo);
  expect(factsDigest({ ...facts, memo })).toBe(facts_digest);
});

it('a destination tag is given to one request, however many are created at the same moment', async () => {
  const facts = { network: 'xrpl_mainnet', asset: 'XRP', address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' };
  const payee = await activePayee(service, stage.merchant, { ...facts, memo_policy: 'request' });
  const own = { ...stage, payee };
  const create = async (fields: Record<string, unknown>, idempotencyKey?: string) =>
    (await succeed(postRequest(service, own, fields, idempotencyKey ? { idempotencyKey } : {}))).body
      .payment_request;
  const [one, two, again] = await Promise.all([
    create({}, 'tag-1'),
    create({}, 'tag-2'),
    create({}, 'tag-1'),
  ]);
  expect(again.request_id).toBe(one.request_id);
  expect(again.payment.memo).toBe(one.payment.memo);
  expect(two.payment.memo).not.toBe(one.payment.memo);
  expect((await create({}, 'tag-1')).payment).toEqual(one.payment);
  // Another request has the tag that this one would get: it gets the next.
  const pinned = { ...one.payment, recipient_version_id: payee.recipientVersionId };
  const taken = requestMemo(pinned, { connection_id: one.connection_id, request_id: 'own-id' });
  await service.db`
    insert into request_memos (merchant_id, network, to_address, memo, connection_id, request_id)
    values (${stage.merchant.merchantId}, 'xrpl_mainnet', ${facts.address}, ${taken}, 'con_9', 'pr_9')`;
  const next = await create({ request_id: 'own-id' });
  expect(next.payment.memo).toMatch(/^\d{1,10}$/);
  expect([taken, one.payment.memo, two.payment.memo]).not.toContain(next.payment.memo);
  const read = await succeed(
    service.call('GET', '/v1/payment-requests/own-id', { device: deviceOf(stage.device) }),
  );
  expect(new URL(read.body.payment_request.payment_uri).searchParams.get('dt')).toBe(next.payment.memo);
});

it('a short memo is given to one request of a merchant and an address', async () => {
  const { payment } = (
    await succeed(readRequest(service, stage, (await pendingRequest(service, stage)).request_id))
  ).body.payment_request;
  const facts = {
    ...payment,
    network: 'xrpl_mainnet',
    address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    memo_policy: 'request',
    recipient_version_id: stage.payee.recipientVersionId,
  } as const;
  const of = (request_id: string) =>
    ownMemo(service.db, 'mer_1', facts, { amount: '1', connection_id: 'con_1', request_id });
  const first = await of('pr_1');
  expect(first).toMatch(/^\d{1,10}$/);
  expect(await of('pr_1')).toBe(first);
  // Another request has the memo that this one would get: it gets the next.
  await service.db`
    insert into request_memos (merchant_id, network, to_address, memo, connection_id, request_id)
    values ('mer_1', 'xrpl_mainnet', ${facts.address},
            ${requestMemo({ ...facts, to: facts.address, amount: '1', memo: null }, { connection_id: 'con_1', request_id: 'pr_2' })},
            'con_9', 'pr_9')`;
  const second = await of('pr_2');
  expect(second).not.toBe(first);
  const rows = await service.db`select memo from request_memos where merchant_id = 'mer_1'`;
  expect(new Set(rows.map(({ memo }) => memo)).size).toBe(3);
});
