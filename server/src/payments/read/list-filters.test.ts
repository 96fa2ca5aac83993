import { multiplyRequest } from '@payassent/proof/database/many';
import { activePayee } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import type { Body, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
let other: PaymentStage;
let first: Body;
let second: Body;
let third: Body;
beforeAll(async () => {
  service = await startService();
  service.clock.freeze();
  stage = await paymentStage(service);
  other = { ...stage, payee: await activePayee(service, stage.merchant) };
  first = await pendingRequest(service, stage, {
    request_id: 'Order-First',
    payment: { amount: '1234.5' },
    display: { title: 'Ten Licences', note: 'without case', count: 7 },
  });
  service.clock.advance(1000);
  second = await pendingRequest(service, other, { expires_in: 60 });
  service.clock.advance(1000);
  third = await pendingRequest(service, stage);
  await report(service, stage, third.request_id, { status: 'rejected' });
});
afterAll(() => service.close());

const readers = (): Sent[] => [
  { bearer: stage.connectionToken },
  { device: deviceOf(stage.device) },
  { session: stage.merchant.session },
];
const list = (query: Record<string, string | number>, sent: Sent = { bearer: stage.connectionToken }) =>
  service.call('GET', '/v1/payment-requests', { ...sent, query });
const idsOf = (page: { body: Body }): string[] =>
  page.body.payment_requests.map((record: Body) => record.request_id);

describe('a list of payment requests', () => {
  it('is filtered by payee, time, status and words, for everyone who may read it', async () => {
    const ids = { first: first.request_id, second: second.request_id, third: third.request_id };
    const { domain } = stage.merchant;
    for (const [query, expected] of [
      [{ recipient_id: other.payee.recipientId }, [ids.second]],
      [{ recipient_id: stage.payee.recipientId }, [ids.third, ids.first]],
      [{ recipient_id: 'rcp_nothing' }, []],
      [{ created_after: second.created_at }, [ids.third, ids.second]],
      [{ created_before: second.created_at }, [ids.first]],
      [{ created_after: first.created_at, created_before: third.created_at }, [ids.second, ids.first]],
      [{ status: 'rejected' }, [ids.third]],
      [{ status: 'pending,rejected' }, [ids.third, ids.second, ids.first]],
      [{ status: 'rejected,signed', recipient_id: stage.payee.recipientId }, [ids.third]],
      [{ q: 'order-f' }, [ids.first]],
      [{ q: domain.slice(0, 9).toUpperCase() }, [ids.third, ids.second, ids.first]],
      [{ q: 'sHoP', status: 'pending' }, [ids.second, ids.first]],
      [{ q: '1234.5' }, [ids.first]],
      [{ q: '234.5 xlm' }, [ids.first]],
      [{ q: 'ten lic' }, [ids.first]],
      [{ q: 'WITHOUT case' }, [ids.first]],
      [{ q: 'nothing of that' }, []],
    ] as const) {
      for (const sent of readers()) {
        const page = await list(query, sent);
        expect(page.status, page.text).toBe(200);
        expect(idsOf(page), JSON.stringify(query)).toEqual(expected);
        expect(page.body.next_cursor).toBeNull();
      }
    }
  });

  it('is searched whatever agents write', async () => {
    const own = await paymentStage(service);
    const statuses: number[] = [];
    for (const title of ['a\u0000b', 'a\ud800b', '\\u0000', 'plain']) {
      const { status } = await postRequest(service, own, { payment: { amount: '1' }, display: { title } });
      statuses.push(status);
    }
    const made = idsOf(await list({}, { bearer: own.connectionToken }));
    const page = await list({ q: '1 XLM' }, { bearer: own.connectionToken });
    expect(page.status, page.text).toBe(200);
    expect(statuses.filter((status) => status === 201)).toHaveLength(made.length);
    expect(made.length).toBeGreaterThan(0);
    expect(idsOf(page)).toEqual(made);
  });

  it('by key is for the agent whose key it is', async () => {
    const query = { idempotency_key: second.idempotency_key };
    expect(idsOf(await list(query))).toEqual([second.request_id]);
    expect(idsOf(await list({ ...query, status: 'signed' }))).toEqual([]);
    expect(idsOf(await list({ idempotency_key: 'nothing' }))).toEqual([]);
    const sibling = await connect(service, stage.agent, stage.device);
    expect(idsOf(await list(query, { bearer: sibling.connectionToken }))).toEqual([]);
    for (const sent of readers().slice(1)) {
      const { status, body } = await list(query, sent);
      expect([status, body.error.field]).toEqual([400, 'idempotency_key']);
    }
  });

  it('refuses what is no status, no time and no words', async () => {
    for (const [query, field] of [
      [{ status: 'pending,done' }, 'status'],
      [{ status: '' }, 'status'],
      [{ created_after: 'yesterday' }, 'created_after'],
      [{ q: '' }, 'q'],
    ] as const) {
      const { status, body } = await list(query);
      expect([status, body.error.field], JSON.stringify(query)).toEqual([400, field]);
    }
  });

  it('counts what is past its time as expired, among several statuses', async () => {
    service.clock.advance(60_000);
    expect(idsOf(await list({ status: 'expired,rejected' }))).toEqual([third.request_id, second.request_id]);
    expect(idsOf(await list({ status: 'pending' }))).toEqual([first.request_id]);
  });

  it('reads a bounded number of rows for a page, and continues from there', async () => {
    const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    const rare = await pendingRequest(service, { ...other, ...own, payee: other.payee });
    service.clock.advance(3_000_000);
    const common = await pendingRequest(service, own);
    await multiplyRequest(service.db, common, 2500);
    const found: string[] = [];
    let pages = 0;
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = { recipient_id: other.payee.recipientId, ...(cursor === '' ? {} : { cursor }) };
      const page = await list(query, { bearer: own.connectionToken });
      found.push(...idsOf(page));
      pages += 1;
      cursor = page.body.next_cursor;
    }
    expect(found).toEqual([rare.request_id]);
    expect(pages).toBe(3);
  });
});
