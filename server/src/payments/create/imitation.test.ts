import { randomUUID } from 'node:crypto';
import { stellarAddress } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const FOREIGN = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const ETHEREUM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const groups = (text: string, link: string) => text.match(/.{1,4}/g)?.join(link) ?? '';
const post = (overrides: Record<string, unknown>, sent?: object) =>
  postRequest(service, stage, overrides, sent);

function verdict({ status, body }: Received): string[] {
  const issues = (body.error?.issues ?? []) as { field: string; code: string }[];
  return [String(status), ...issues.map(({ field, code }) => `${field} ${code}`)];
}

describe('an agent cannot show another payee', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    ['an address in a value (control)', { note: `pay ${FOREIGN}` }, 'display.note', 'risk_foreign_address'],
    [
      'a control character in a value (control)',
      { note: 'a\u001b[2J' },
      'display.note',
      'risk_control_characters',
    ],
    ['an address as a name', { [FOREIGN]: 'pay here' }, `display.${FOREIGN}`, 'risk_foreign_address'],
    ['a turn of direction in a name', { 'a\u202eb': 1 }, 'display.a\u202eb', 'risk_control_characters'],
    ['an escape sequence in a name', { '\u001b[2J': 1 }, 'display.\u001b[2J', 'risk_control_characters'],
    [
      'an address with one blank',
      { note: `${FOREIGN.slice(0, 20)} ${FOREIGN.slice(20)}` },
      'display.note',
      'risk_foreign_address',
    ],
    ['an address in groups of four', { note: groups(FOREIGN, ' ') }, 'display.note', 'risk_foreign_address'],
    [
      'an address in groups within a sentence',
      { note: `pay ${groups(FOREIGN, '-')} now` },
      'display.note',
      'risk_foreign_address',
    ],
    ['an address in lower case', { note: FOREIGN.toLowerCase() }, 'display.note', 'risk_foreign_address'],
    [
      'an address with marks',
      { note: Array.from(FOREIGN, (letter) => `${letter}\u0332`).join('') },
      'display.note',
      'risk_foreign_address',
    ],
    [
      'an address over two items',
      { lines: [FOREIGN.slice(0, 28), FOREIGN.slice(28)] },
      'display.lines[0]',
      'risk_foreign_address',
    ],
    ['an EVM address in groups', { note: groups(ETHEREUM, ' ') }, 'display.note', 'risk_foreign_address'],
    ['payment_memo', { payment_memo: '1' }, 'display.payment_memo', 'display_override_forbidden'],
    ['memo_text', { memo_text: '1' }, 'display.memo_text', 'display_override_forbidden'],
    ['deposit_address', { deposit_address: 'x' }, 'display.deposit_address', 'display_override_forbidden'],
    ['send_to', { list: [{ send_to: 'x' }] }, 'display.list[0].send_to', 'display_override_forbidden'],
    ['mеmo with a Cyrillic е', { mеmo: '1' }, 'display.mеmo', 'display_override_forbidden'],
  ])('by %s', async (_name, display, field, code) => {
    const status = code.startsWith('risk_') ? 422 : 400;
    expect(verdict(await post({ display }))).toEqual([String(status), `${field} ${code}`]);
    const inMetadata = verdict(await post({ metadata: display }));
    expect(inMetadata).toEqual([String(status), `${field.replace('display', 'metadata')} ${code}`]);
    const context = await service.call('POST', '/v1/transaction-contexts', {
      bearer: stage.connectionToken,
      body: display,
    });
    expect(verdict(context)).toEqual([String(status), `${field.replace('display.', '')} ${code}`]);
  });

  it.each(['request_id', 'transaction_id', 'idempotency_key'])('by the id it chooses: %s', async (field) => {
    const postId = async (text: string) =>
      verdict(
        await post(
          { [field]: text },
          { idempotencyKey: field === 'transaction_id' ? randomUUID() : undefined },
        ),
      );
    for (const text of [FOREIGN, groups(FOREIGN, '-'), `order-${FOREIGN.toLowerCase()}`])
      expect(await postId(text)).toEqual(['422', `${field} risk_foreign_address`]);
    expect(await postId('order\u202e1')).toEqual(['422', `${field} risk_control_characters`]);
  });

  it('by a key in a header', async () => {
    expect(verdict(await post({}, { idempotencyKey: groups(FOREIGN, '-') }))).toEqual([
      '422',
      'idempotency_key risk_foreign_address',
    ]);
  });

  it('by the id of a context', async () => {
    const context = (transaction_id: string) =>
      service.call('POST', '/v1/transaction-contexts', {
        bearer: stage.connectionToken,
        body: { transaction_id, title: 'x' },
      });
    expect(verdict(await context(FOREIGN))).toEqual(['422', 'transaction_id risk_foreign_address']);
    expect(verdict(await context('a\u202eb'))).toEqual(['422', 'transaction_id risk_control_characters']);
    expect((await context(stage.payee.address)).status).toBe(201);
  });

  it('but may show the payee of the request, in every form', async () => {
    const { address } = stage.payee;
    const display = {
      [address]: 'the payee',
      a: groups(address, ' '),
      b: address.toLowerCase(),
      c: [address.slice(0, 30), address.slice(30)],
    };
    const request_id = `${groups(address, '-')}-${randomUUID().slice(0, 8)}`;
    const received = await post({ display, metadata: display, request_id });
    expect(received.status).toBe(201);
    expect(received.body.payment_request.display).toEqual(display);
  });

  it('and what the rules let pass on purpose is stored: no checksum, no alarm; ordinary words', async () => {
    const display = {
      contract_no: ETHEREUM.toLowerCase(),
      verified: true,
      domain: 'shop.example',
      items: [{ name: 'Tea', amount: '2.50' }],
      shipping_address: 'Rua Augusta 1',
      email_address: 'a@shop.example',
      billing_address: 'same',
      trip: { from: 'NYC', to: 'LIS' },
    };
    expect((await post({ display })).status).toBe(201);
  });
});

describe('the reason of a wallet', () => {
  const say = async (body: Record<string, unknown>) => {
    const { request_id } = await pendingRequest(service, stage);
    const received = await service.call('POST', `/v1/payment-requests/${request_id}/status`, {
      device: deviceOf(stage.device),
      body,
    });
    return { received, request_id };
  };

  it.each([
    ['an escape sequence', 'no\u001b[2J', 'risk_control_characters'],
    ['a turn of direction', 'no\u202e', 'risk_control_characters'],
    ['an address', `paid to ${FOREIGN} instead`, 'risk_foreign_address'],
    ['an address in groups', groups(stellarAddress(), ' '), 'risk_foreign_address'],
  ])('is refused with %s, and nothing changes', async (_name, reason, code) => {
    const { received, request_id } = await say({ status: 'rejected', reason });
    expect(verdict(received)).toEqual(['422', `reason ${code}`]);
    const read = await service.call('GET', `/v1/payment-requests/${request_id}`, {
      bearer: stage.connectionToken,
    });
    expect(read.body.payment_request).toMatchObject({ status: 'pending', reason_text: null });
  });

  it('is refused with an address for a code, and may name the payee itself', async () => {
    const { received } = await say({ status: 'failed', reason_code: FOREIGN.toLowerCase() });
    expect(verdict(received)).toEqual(['422', 'reason_code risk_foreign_address']);
    const own = await say({ status: 'rejected', reason: `not ${groups(stage.payee.address, ' ')} again` });
    expect(own.received.status).toBe(200);
  });
});
