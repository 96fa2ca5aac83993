import { randomUUID } from 'node:crypto';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee, createPayee, replacePayee, stellarAddress } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { factsDigest } from '@payassent/protocol';
import { PaymentRequestV1Schema } from '@payassent/protocol/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileValidator } from '../../http/validate.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const specified = compileValidator(PaymentRequestV1Schema);
const post = (overrides?: Record<string, unknown>, sent?: object) =>
  postRequest(service, stage, overrides, sent);
const issuesOf = (received: Received) =>
  (received.body.error.issues ?? []).map((issue: { field: string; code: string }) => [
    issue.field,
    issue.code,
  ]);
const countRequests = async () => (await service.db`select from payment_requests`).length;

describe('payment details', () => {
  it('are derived from the pinned version, with a digest that a wallet can recompute', async () => {
    const payee = await activePayee(service, stage.merchant, { memo: 'INV-7' });
    const record = await pendingRequest(service, { ...stage, payee }, { payment: { amount: '0.0000001' } });
    expect(specified(record)).toEqual([]);
    expect(record.payment).toEqual({
      rail: 'stellar_xlm',
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: '0.0000001',
      to: payee.address,
      decimals: 7,
      memo: 'INV-7',
    });
    expect(record.facts_digest).toBe(
      factsDigest({ ...record.payment, recipient_version_id: payee.recipientVersionId }),
    );
  });

  it('stay as they were pinned when the payee gets a new version', async () => {
    const payee = await activePayee(service, stage.merchant);
    const record = await pendingRequest(service, { ...stage, payee });
    const replaced = await replacePayee(service, stage.merchant, payee);
    expect(replaced.address).not.toBe(payee.address);
    expect((await readRequest(service, stage, record.request_id)).body.payment_request).toEqual({
      ...record,
      payee: { ...record.payee, is_current: false },
    });
    const { recipient_version_id: _, ...body } = paymentBody({ payee });
    const next = await succeed(
      service.call('POST', '/v1/payment-requests', {
        bearer: stage.connectionToken,
        idempotencyKey: randomUUID(),
        body,
      }),
    );
    expect(next.body.payment_request.payment.to).toBe(replaced.address);
  });

  it.each([
    'to_address',
    'amount',
    'memo',
    'payee',
    'recipient_version_id',
    'facts_digest',
    'display',
    'expires_at',
  ])('%s cannot be changed in the database', async (column) => {
    const { request_id } = await pendingRequest(service, stage);
    const change = service.db`
      update payment_requests set ${service.db(column)} = ${service.db(column)} where request_id = ${request_id}`;
    await expect(change).rejects.toMatchObject({ code: '23001' });
    const removal = service.db`delete from payment_requests where request_id = ${request_id}`;
    await expect(removal).rejects.toMatchObject({ code: '23001' });
  });

  it('in the body are refused even when equal, each with its path, and so are members the service writes', async () => {
    const facts = {
      network: 'stellar_testnet',
      asset: 'XLM',
      address: stage.payee.address,
      to: stage.payee.address,
      memo: 'x',
      contract: 'x',
      issuer: 'x',
      rail: 'stellar_xlm',
      decimals: 7,
      chain_id: 1,
    };
    const written = [
      'payee',
      'status',
      'created_at',
      'updated_at',
      'state_version',
      'is_final',
      'tx_hash',
      'reason',
      'transaction_context',
    ];
    const received = await post({
      ...facts,
      ...Object.fromEntries(written.map((name) => [name, 'x'])),
      payment: { amount: 'x', ...facts },
      merchant_id: 'mer_x',
      agent_id: 'agt_x',
      surprise: 1,
    });
    expect(received.status).toBe(400);
    expect(received.body.error.code).toBe('validation_failed');
    expect(Object.fromEntries(issuesOf(received))).toEqual({
      ...Object.fromEntries(
        Object.keys(facts).flatMap((name) => [
          [name, 'payment_fact_forbidden'],
          [`payment.${name}`, 'payment_fact_forbidden'],
        ]),
      ),
      ...Object.fromEntries(written.map((name) => [name, 'read_only_field'])),
      'payment.amount': 'amount_invalid',
      merchant_id: 'identity_field_forbidden',
      agent_id: 'identity_field_forbidden',
      surprise: 'unknown_field',
    });
  });
});

describe('source, display and metadata', () => {
  it('are kept as sent, but the service knows better who requests it', async () => {
    const display = { title: 'Order 7 ✓', items: [{ name: 'Tea\n"green"', price: 1.5 }], constructor: 'x' };
    const metadata = JSON.parse('{"__proto__":{"a":1},"shipping_address":"Elm St","trip":{"to":"LIS"}}');
    const record = await pendingRequest(service, stage, {
      display,
      metadata,
      source: { agent_name: 'Somebody else', channel: 'chat', merchant_name: 'Bank', agent_id: 'agt_other' },
    });
    expect(record.display).toEqual(display);
    expect(JSON.stringify(record.metadata)).toBe(JSON.stringify(metadata));
    expect(record.source).toEqual({
      channel: 'chat',
      agent_id: stage.agent.agentId,
      agent_name: 'Shopping agent',
      merchant_name: 'Example Shop',
    });
    expect(specified(record)).toEqual([]);
  });

  it('cannot imitate a detail; every offence is listed with its path, risks too', async () => {
    const received = await post({
      display: { Memo: 'x', items: [{ 'pay-to': 'x' }], to: 'x', deeper: { to: 'fine' } },
      metadata: { note: `send it to ${stellarAddress()}`, ok: `we are ${stage.payee.address}` },
      source: { name: 'a\u202eb' },
      payment: { amount: '1.00000001' },
      expires_at: new Date(service.clock.now().getTime() - 1000).toISOString(),
    });
    expect(received.status).toBe(400);
    expect(issuesOf(received).toSorted()).toEqual(
      [
        ['display.Memo', 'display_override_forbidden'],
        ['display.items[0].pay-to', 'display_override_forbidden'],
        ['display.to', 'display_override_forbidden'],
        ['metadata.note', 'risk_foreign_address'],
        ['source.name', 'risk_control_characters'],
        ['payment.amount', 'amount_precision_exceeded'],
        ['expires_at', 'expires_in_past'],
      ].toSorted(),
    );
  });

  it('with nothing but risks are 422', async () => {
    const received = await post({ display: { note: stellarAddress() } });
    expect(received.status).toBe(422);
    expect(received.body.error).toMatchObject({ code: 'risk_rejected', field: 'display.note' });
  });

  it.each(['display', 'metadata', 'source'])('%s: 8,192 bytes and 8 levels, not more', async (name) => {
    const sized = (bytes: number) => ({ [name]: { a: 'x'.repeat(bytes - '{"a":""}'.length) } });
    const nested = (levels: number) => ({
      [name]: JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`),
    });
    expect((await post(sized(8192))).status).toBe(201);
    expect(issuesOf(await post(sized(8193)))).toEqual([[name, 'too_long']]);
    expect((await post(nested(8))).status).toBe(201);
    expect(issuesOf(await post(nested(9)))).toEqual([[name, 'out_of_range']]);
  });
});

describe('boundaries', () => {
  it.each([
    ['0.0000001', 201],
    ['922337203685.4775807', 201],
    ['1', 201],
    ['0.10', 201],
    ['1'.repeat(335), 201],
    ['1'.repeat(336), 400],
    ['1'.repeat(10_000), 400],
    ['0', 400],
    ['0.0000000', 400],
    ['01', 400],
    ['00.1', 400],
    ['.5', 400],
    ['5.', 400],
    ['+1', 400],
    ['-1', 400],
    ['1e2', 400],
    ['1,5', 400],
    [' 1', 400],
    ['1\n', 400],
    ['１', 400],
    ['١', 400],
    ['', 400],
  ])('amount %s is %i', async (amount, status) => {
    const received = await post({ payment: { amount } });
    expect(received.status).toBe(status);
    if (status === 201) expect(received.body.payment_request.payment.amount).toBe(amount);
    else expect(issuesOf(received)).toEqual([['payment.amount', 'amount_invalid']]);
  });

  it('an amount is a string', async () => {
    expect(issuesOf(await post({ payment: { amount: 12.5 } }))).toEqual([['payment.amount', 'invalid_type']]);
    expect(issuesOf(await post({ payment: {} }))).toEqual([['payment.amount', 'required']]);
    expect(issuesOf(await post({ payment: undefined }))).toEqual([['payment', 'required']]);
  });

  it.each([false, 'true', 1, null])('requires_user_approval %s is refused', async (value) => {
    const received = await post({ policy: { requires_user_approval: value } });
    expect(received.status).toBe(400);
    expect(received.body.error.issues).toHaveLength(1);
    expect(received.body.error.field).toBe('policy.requires_user_approval');
  });

  it('request_id: 1 to 160 code points without control characters, not a reserved word', async () => {
    const longest = '🧾'.repeat(160);
    const received = await post({ request_id: longest });
    expect(received.status).toBe(201);
    expect(received.body.payment_request.request_id).toBe(longest);
    expect((await readRequest(service, stage, longest)).body.payment_request.request_id).toBe(longest);
    expect(issuesOf(await post({ request_id: '🧾'.repeat(161) }))).toEqual([['request_id', 'too_long']]);
    expect(issuesOf(await post({ request_id: '' }))).toEqual([['request_id', 'too_short']]);
    for (const request_id of ['events', '.', '..', 'a\u0007', 'a\n'])
      expect(issuesOf(await post({ request_id }))).toEqual([['request_id', 'invalid_format']]);
    const odd = 'a/b?c=#d e';
    expect((await post({ request_id: odd })).status).toBe(201);
    expect((await readRequest(service, stage, odd)).body.payment_request.request_id).toBe(odd);
  });

  it('idempotency_key: at most 256 code points, the same in header and body', async () => {
    const longest = 'é'.repeat(256);
    const record = (await post({ idempotency_key: longest }, { idempotencyKey: undefined })).body;
    expect(record.payment_request.idempotency_key).toBe(longest);
    expect(issuesOf(await post({ idempotency_key: `${longest}x` }, { idempotencyKey: undefined }))).toEqual([
      ['idempotency_key', 'too_long'],
    ]);
  });

  it('expires_at: later than now and at most 366 days ahead, one hour by default', async () => {
    service.clock.freeze();
    const at = (ms: number) => ({ expires_at: new Date(service.clock.now().getTime() + ms).toISOString() });
    const year = 366 * 24 * 3_600_000;
    try {
      expect((await post(at(1))).status).toBe(201);
      expect(issuesOf(await post(at(0)))).toEqual([['expires_at', 'expires_in_past']]);
      expect((await post(at(year))).status).toBe(201);
      expect(issuesOf(await post(at(year + 1)))).toEqual([['expires_at', 'out_of_range']]);
      const { created_at, expires_at } = (await post()).body.payment_request;
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3_600_000);
    } finally {
      service.clock.release();
    }
    const local = new Date(service.clock.now().getTime() + 7_200_000).toISOString();
    const shifted = `${new Date(Date.parse(local) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    expect((await post({ expires_at: shifted })).body.payment_request.expires_at).toBe(local);
    for (const expires_at of ['tomorrow', '2030-02-30T00:00:00Z', '2030-01-01', '2030-01-01T00:00:00'])
      expect(issuesOf(await post({ expires_at }))).toEqual([['expires_at', 'invalid_format']]);
  });
});

describe('the payee', () => {
  it('a foreign and an absent Recipient are the same 404', async () => {
    const other = await paymentStage(service);
    const foreign = await post({ recipient_id: other.payee.recipientId, recipient_version_id: undefined });
    const absent = await post({ recipient_id: 'rcp_nothing', recipient_version_id: undefined });
    const plain = (received: Received) => received.text.replace(received.body.error.request_id, '');
    expect(foreign.status).toBe(404);
    expect(plain(foreign)).toBe(plain(absent));
  });

  it('any version but the active one is 409 and names the active one', async () => {
    for (const recipient_version_id of ['rcv_nothing', stage.payee.recipientId]) {
      const received = await post({ recipient_version_id });
      expect(received.status).toBe(409);
      expect(received.body.error).toMatchObject({
        code: 'recipient_version_not_active',
        details: { active_recipient_version_id: stage.payee.recipientVersionId },
      });
    }
  });

  it('a draft has nothing to pin, an archived Recipient is closed for good', async () => {
    const draft = (await createPayee(service, stage.merchant)).body;
    const { recipient_id } = draft.recipient;
    const unsaid = await post({ recipient_id, recipient_version_id: undefined });
    expect([unsaid.status, unsaid.body.error.code]).toEqual([409, 'recipient_not_active']);
    const said = await post({
      recipient_id,
      recipient_version_id: draft.recipient_version.recipient_version_id,
    });
    expect([said.status, said.body.error.code]).toEqual([409, 'recipient_version_not_active']);
    const payee = await activePayee(service, stage.merchant);
    expect((await postRequest(service, { ...stage, payee })).status).toBe(201);
    await succeed(
      service.call('PATCH', `/v1/recipients/${payee.recipientId}`, {
        session: stage.merchant.session,
        body: { status: 'archived', version: payee.version },
      }),
    );
    const archived = await postRequest(service, { ...stage, payee });
    expect([archived.status, archived.body.error.code]).toEqual([409, 'recipient_not_active']);
  });
});

describe('order of checks', () => {
  it('credential, then keys, then body, then replay, then time, then pause, then reads, then state', async () => {
    const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    const send = (body: Record<string, unknown>, sent: object = {}) => postRequest(service, own, body, sent);
    const codes = async (pending: Promise<Received>) => {
      const received = await pending;
      return [received.status, received.body.error?.code ?? 'created'];
    };
    const clash = { headers: { 'idempotency-key': 'a' }, idempotencyKey: 'b' };
    const past = '2001-01-01T00:00:00Z';
    expect(await codes(send({ surprise: 1 }, { ...clash, bearer: 'svc_ct_wrong' }))).toEqual([
      401,
      'unauthenticated',
    ]);
    expect(await codes(send({ surprise: 1 }, clash))).toEqual([400, 'IDEMPOTENCY_KEY_MISMATCH']);
    const key = { idempotencyKey: 'order' };
    expect(await codes(send({}, key))).toEqual([201, 'created']);
    const pause = (status: string) =>
      succeed(
        service.call('PATCH', `/v1/connections/${own.connectionId}`, {
          device: deviceOf(own.device),
          body: { status },
        }),
      );
    await pause('paused');
    expect(await codes(send({ surprise: 1 }, key))).toEqual([400, 'validation_failed']);
    expect(await codes(send({ expires_at: past }, key))).toEqual([422, 'idempotency_key_reused']);
    expect(await codes(send({}, key))).toEqual([200, 'created']);
    expect(await codes(send({ expires_at: past }))).toEqual([400, 'validation_failed']);
    expect(await codes(send({ recipient_id: 'rcp_x' }))).toEqual([403, 'connection_paused']);
    await pause('active');
    expect(await codes(send({ recipient_id: 'rcp_x', recipient_version_id: 'rcv_x' }))).toEqual([
      404,
      'resource_not_found',
    ]);
    expect(await codes(send({ connection_id: 'con_x', recipient_version_id: 'rcv_x' }))).toEqual([
      404,
      'resource_not_found',
    ]);
    expect(await codes(send({ recipient_version_id: 'rcv_x' }))).toEqual([
      409,
      'recipient_version_not_active',
    ]);
    expect(await codes(send({ connection_id: own.connectionId }))).toEqual([201, 'created']);
  });

  it('a token without the scope is rejected for that before anything in its body', async () => {
    const narrow = await connect(service, stage.agent, stage.device, ['payment.requests.read']);
    const received = await postRequest(service, { ...stage, ...narrow }, { surprise: 1 });
    expect([received.status, received.body.error.code]).toEqual([403, 'insufficient_scope']);
  });

  it('a refused create stores nothing', async () => {
    const before = await countRequests();
    await post({ surprise: 1 }, { idempotencyKey: 'refused' });
    await post({ recipient_version_id: 'rcv_x' }, { idempotencyKey: 'refused' });
    expect(await countRequests()).toBe(before);
    expect((await post({}, { idempotencyKey: 'refused' })).status).toBe(201);
  });
});
