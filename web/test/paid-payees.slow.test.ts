// Slow: pays several times in a browser.

import { succeed } from '@payassent/proof/people/merchants';
import { replacePayee } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { WalletClient } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dangersIn } from '../src/wallet/payments/comparisons.ts';
import { readDecided, readPaid } from '../src/wallet/payments/gateway.ts';
import { type Payment, paymentOfRequest } from '../src/wallet/payments/payment.ts';
import { createPaidPayees, mergeHistory, type TextStore } from '../src/wallet/storage/paid-payees.ts';

let service: TestService;
let stage: PaymentStage;
let paid: Payment;
let next: Payment;
/** More payments than an earlier wallet searched before it gave up. */
const FLOOD = 1_050;
const AT_ONCE = 50;

beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const { request_id } = await pendingRequest(service, stage);
  for (const status of ['signed', 'broadcasted', 'confirmed'])
    paid = paymentOfRequest(
      (await succeed(report(service, stage, request_id, { status }))).body.payment_request,
    );
  const payee = await replacePayee(service, stage.merchant, stage.payee);
  const replaced = { ...stage, payee };
  for (let made = 0; made < FLOOD; made += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => succeed(postRequest(service, replaced))));
  next = paymentOfRequest(await pendingRequest(service, replaced));
});
afterAll(() => service.close());

const client = () => new WalletClient({ baseUrl: service.url, deviceToken: deviceOf(stage.device).token });
const dangers = (history: readonly Payment[]) => dangersIn(next, history).map(({ danger }) => danger);

function memory(): TextStore & { text(): string } {
  let kept: string | null = null;
  return {
    getItem: () => kept,
    setItem: (_key, text) => {
      kept = text;
    },
    removeItem: () => {
      kept = null;
    },
    text: () => kept ?? '',
  };
}

describe('a changed address is noticed', () => {
  it('however many requests wait before the last one that was paid', async () => {
    const history = await readPaid(client(), 500, {});
    expect(history.map(({ key }) => key)).toEqual([paid.key]);
    expect(dangers(history)).toContain('address');
    expect((await readDecided(client(), 20, {})).map(({ key }) => key)).toEqual([paid.key]);
  });

  it('by what this device remembers, when the history cannot be read', () => {
    const store = memory();
    createPaidPayees(store).remember([paid, next]);
    const remembered = createPaidPayees(store).read();
    expect(remembered.map(({ key }) => key)).toEqual([paid.key]);
    expect(dangers(remembered)).toContain('address');
    expect(dangers(mergeHistory(remembered, []))).toContain('address');
    createPaidPayees(store).forget();
    expect(createPaidPayees(store).read()).toEqual([]);
  });
});

describe('what a device remembers', () => {
  const nth = (index: number): Payment => ({
    ...paid,
    key: `request/con/${index}`,
    createdAt: new Date(index * 1000).toISOString(),
    payee: paid.payee && { ...paid.payee, recipientId: `rcp_${index}` },
    said: [{ part: 'display', content: { note: 'x'.repeat(8000) } }],
  });

  it('is one payment for each payee, the newest, without the words, and bounded', () => {
    const store = memory();
    const payees = createPaidPayees(store);
    payees.remember(Array.from({ length: 700 }, (_, index) => nth(index)));
    expect(payees.read()).toHaveLength(500);
    expect(payees.read()[0]?.key).toBe('request/con/699');
    expect(store.text().length).toBeLessThan(1_000_000);
    payees.remember([{ ...nth(699), key: 'again', createdAt: new Date(1e9).toISOString() }]);
    expect(payees.read()).toHaveLength(500);
    expect(payees.read()[0]?.key).toBe('again');
  });

  it('is nothing when the store is closed, broken or holds something else', () => {
    const closed = createPaidPayees(undefined);
    closed.remember([paid]);
    expect(closed.read()).toEqual([]);
    const broken: TextStore = {
      getItem: () => '[{"key":"x"},null,7]',
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
      removeItem: () => undefined,
    };
    expect(() => createPaidPayees(broken).remember([paid])).not.toThrow();
    expect(createPaidPayees(broken).read()).toEqual([]);
    expect(createPaidPayees({ ...broken, getItem: () => '{"not":' }).read()).toEqual([]);
  });
});
