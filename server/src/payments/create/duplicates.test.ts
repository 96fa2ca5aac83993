import { randomUUID } from 'node:crypto';
import { activePayee } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import type { Caller } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

let cents = 0;
/** An amount that no other test requests. */
const freshAmount = () => {
  cents += 1;
  return `7.${String(cents).padStart(4, '0')}`;
};

const post = (amount: string, overrides: Record<string, unknown> = {}, sent: object = {}) =>
  postRequest(service, stage, { payment: { amount }, ...overrides }, sent);
const made = (amount: string, overrides: Record<string, unknown> = {}) =>
  pendingRequest(service, stage, { payment: { amount }, ...overrides });

describe('a request that equals an earlier one', () => {
  it('names the earlier ones, newest first, at most five, however the amount is written', async () => {
    const amount = freshAmount();
    const ids: string[] = [];
    for (const zeros of ['', '0', '00', '000', '', '0']) {
      const record = await made(`${amount}${zeros}`);
      if (ids.length === 0) expect(record).not.toHaveProperty('risk');
      else expect(record.risk).toEqual({ possible_duplicate_of: ids.slice(0, 5) });
      ids.unshift(record.request_id);
      service.clock.advance(1000);
    }
    expect((await made(amount)).risk.possible_duplicate_of).toEqual(ids.slice(0, 5));
  });

  it('shows it to the wallet too, and in lists', async () => {
    const amount = freshAmount();
    const first = await made(amount);
    const { request_id } = await made(amount);
    const risk = { possible_duplicate_of: [first.request_id] };
    for (const sent of [{ bearer: stage.connectionToken }, { device: deviceOf(stage.device) }]) {
      const read = await service.call('GET', `/v1/payment-requests/${request_id}`, sent);
      expect(read.body.payment_request.risk).toEqual(risk);
    }
    const page = await service.call('GET', '/v1/payment-requests', { bearer: stage.connectionToken });
    const listed = page.body.payment_requests.find(
      (one: { request_id: string }) => one.request_id === request_id,
    );
    expect(listed.risk).toEqual(risk);
  });

  it('counts what is paid or may be paid, and nothing that came to nothing', async () => {
    const amount = freshAmount();
    const risky = [];
    for (const statuses of [['signed'], ['signed', 'broadcasted'], ['signed', 'broadcasted', 'confirmed']]) {
      const { request_id } = await made(amount);
      for (const status of statuses) await report(service, stage, request_id, { status });
      risky.unshift(request_id);
      service.clock.advance(1000);
    }
    const rejected = await made(amount);
    await report(service, stage, rejected.request_id, { status: 'rejected' });
    const failed = await made(amount);
    await report(service, stage, failed.request_id, { status: 'failed' });
    const withdrawn = await made(amount);
    await service.call('POST', `/v1/payment-requests/${withdrawn.request_id}/withdraw`, {
      bearer: stage.connectionToken,
    });
    await made(amount, { expires_in: 60 });
    service.clock.advance(61_000);
    expect((await made(amount)).risk.possible_duplicate_of).toEqual(risky);
  });

  it('compares with the last 24 hours, and only with the same connection, payee and amount', async () => {
    const amount = freshAmount();
    await made(amount, { expires_in: 31_622_400 });
    expect(await made(freshAmount())).not.toHaveProperty('risk');
    const otherPayee = await activePayee(service, stage.merchant);
    const elsewhere = { ...stage, payee: otherPayee };
    expect(await pendingRequest(service, elsewhere, { payment: { amount } })).not.toHaveProperty('risk');
    const sibling = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    expect(await pendingRequest(service, sibling, { payment: { amount } })).not.toHaveProperty('risk');
    service.clock.advance(24 * 60 * 60 * 1000 + 1);
    expect(await made(amount)).not.toHaveProperty('risk');
  });

  it('is none of what it replaces', async () => {
    const amount = freshAmount();
    const old = await made(amount);
    const replaced = await post(amount, { supersedes: old.request_id, if_duplicate: 'refuse' });
    expect(replaced.status, replaced.text).toBe(201);
    expect(replaced.body.payment_request).not.toHaveProperty('risk');
  });
});

describe('a create that refuses duplicates', () => {
  const refuse = { if_duplicate: 'refuse' };

  it('stores nothing, and names the earlier request', async () => {
    const amount = freshAmount();
    const first = await made(amount);
    const idempotencyKey = randomUUID();
    const refused = await post(amount, refuse, { idempotencyKey });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'possible_duplicate']);
    const { request_id, status, created_at } = first;
    expect(refused.body.error.details).toEqual({ requests: [{ request_id, status, created_at }] });
    expect((await post(freshAmount(), refuse, { idempotencyKey })).status).toBe(201);
  });

  it('is a repeat with its own key, with any option for duplicates', async () => {
    const amount = freshAmount();
    const idempotencyKey = randomUUID();
    const first = await post(amount, refuse, { idempotencyKey });
    const { request_id } = first.body.payment_request;
    for (const other of [refuse, {}, { if_duplicate: 'flag' }, { duplicate_of: 'pr_nothing' }]) {
      const again = await post(amount, other, { idempotencyKey });
      expect([again.status, again.body.payment_request?.request_id]).toEqual([200, request_id]);
    }
  });

  it('is stored when it names one of them, and carries that name', async () => {
    const amount = freshAmount();
    const { request_id: first } = await made(amount);
    const second = await post(amount, { ...refuse, duplicate_of: first });
    expect(second.status, second.text).toBe(201);
    expect(second.body.payment_request.risk).toEqual({
      possible_duplicate_of: [first],
      acknowledged_duplicate_of: first,
    });
    const { request_id: other } = await made(freshAmount());
    const wrong = await post(amount, { ...refuse, duplicate_of: other });
    expect([wrong.status, wrong.body.error.code]).toEqual([409, 'possible_duplicate']);
    const flagged = await made(freshAmount(), { duplicate_of: other });
    expect(flagged.risk).toEqual({ acknowledged_duplicate_of: other });
  });

  it('must name a request of the same connection', async () => {
    const foreign = await pendingRequest(service, await paymentStage(service));
    for (const duplicate_of of ['pr_nothing', foreign.request_id]) {
      const { status, body } = await post(freshAmount(), { duplicate_of });
      expect([status, body.error.code]).toEqual([404, 'resource_not_found']);
    }
    const { status, body } = await post(freshAmount(), { if_duplicate: 'maybe' });
    expect([status, body.error.field]).toEqual([400, 'if_duplicate']);
  });

  it('is stored once of 64 that two processes get at the same moment', async () => {
    const other = await secondService(service);
    const amount = freshAmount();
    const body = paymentBody(stage, { payment: { amount }, ...refuse });
    const send = (call: Caller, n: number) =>
      call('POST', '/v1/payment-requests', {
        bearer: stage.connectionToken,
        idempotencyKey: randomUUID(),
        body: { ...body, payment: { amount: `${amount}${'0'.repeat(n % 3)}` } },
      });
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => send(n % 2 === 0 ? service.call : other.call, n)),
    );
    const stored = answers.filter(({ status }) => status === 201);
    expect(stored).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(63);
    const [only] = stored;
    for (const one of refused)
      expect(one.body.error.details.requests[0].request_id).toBe(only?.body.payment_request.request_id);
  });
});

describe('an amount that the network cannot carry', () => {
  it('is stored as sent, and the record is marked', async () => {
    const most = '922337203685.4775807';
    expect(await made(most)).not.toHaveProperty('risk');
    const record = await made('922337203685.4775808');
    expect(record.payment.amount).toBe('922337203685.4775808');
    expect(record.risk).toEqual({ exceeds_network_maximum: true });
    const again = await made('922337203685.47758080'.slice(0, -1));
    expect(again.risk).toEqual({
      possible_duplicate_of: [record.request_id],
      exceeds_network_maximum: true,
    });
    const seen = await service.call('GET', `/v1/payment-requests/${record.request_id}`, {
      device: deviceOf(stage.device),
    });
    expect(seen.body.payment_request.risk).toEqual({ exceeds_network_maximum: true });
  });
});
