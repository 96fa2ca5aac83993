import { randomUUID } from 'node:crypto';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee, replacePayee } from '@payassent/proof/people/payees';
import {
  allEvents,
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
  report,
  withoutLinks,
} from '@payassent/proof/people/payments';
import { agentToken, connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const post = (overrides?: Record<string, unknown>, sent?: object) =>
  postRequest(service, stage, overrides, sent);

describe('the same key', () => {
  it('and the same intent respond with the one record in its current state', async () => {
    const idempotencyKey = randomUUID();
    const first = await post({}, { idempotencyKey });
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const { request_id } = first.body.payment_request;
    const signed = await report(service, stage, request_id, { status: 'signed' });
    const again = await post({}, { idempotencyKey });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    // The agent does not see the creating credential, nor the device of an unsigned decision.
    const { created_with: _, decision, ...rest } = withoutLinks(signed.body.payment_request);
    expect(withoutLinks(again.body.payment_request)).toEqual({
      ...rest,
      decision: { ...decision, device_id: null },
      idempotency_key: idempotencyKey,
    });
  });

  it('counts in all three carriers, whatever the rest of the request contains', async () => {
    const key = randomUUID();
    const made = (await post({}, { idempotencyKey: key })).body.payment_request;
    const ways = [
      post({ idempotency_key: key }, { idempotencyKey: undefined }),
      post({}, { idempotencyKey: undefined, headers: { 'idempotency-key': key } }),
      post(
        { protocol: 'svc.payment_request.v1', connection_id: stage.connectionId },
        { idempotencyKey: key },
      ),
      post({ idempotency_key: '' }, { idempotencyKey: key }),
    ];
    for (const received of await Promise.all(ways)) {
      expect(received.status, received.text).toBe(200);
      expect(received.body.payment_request).toEqual(made);
    }
  });

  it('is the same in quotes, as the draft of Idempotency-Key writes it, and only there', async () => {
    const inHeader = (name: string, value: string, body = {}) =>
      post(body, { idempotencyKey: undefined, headers: { [name]: value } });
    const key = String.raw`a "b" \c ${randomUUID()}`;
    const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    const made = await inHeader('idempotency-key', quoted);
    expect([made.status, made.body.payment_request.idempotency_key]).toEqual([201, key]);
    for (const again of [
      inHeader('x-idempotency-key', key),
      inHeader('idempotency-key', key),
      inHeader('idempotency-key', quoted, { idempotency_key: key }),
      post({}, { idempotencyKey: key, headers: { 'idempotency-key': quoted } }),
    ]) {
      const { status, body } = await again;
      expect([status, body.payment_request.request_id]).toEqual([200, made.body.payment_request.request_id]);
    }
    // Not a string of the draft, or another header: the key is used as it is.
    for (const [name, value] of [
      ['idempotency-key', `"open ${randomUUID()}`],
      ['idempotency-key', `"a" "${randomUUID()}"`],
      ['x-idempotency-key', `"${randomUUID()}"`],
    ] as const)
      expect((await inHeader(name, value)).body.payment_request.idempotency_key).toBe(value);
    const empty = await inHeader('idempotency-key', '""');
    expect(empty.body.error.code).toBe('idempotency_key_required');
    // Carriers that are equal byte for byte never differ, whatever the quotes mean.
    const same = `"${randomUUID()}"`;
    for (const equal of [
      inHeader('idempotency-key', same, { idempotency_key: same }),
      post({}, { idempotencyKey: same, headers: { 'idempotency-key': same } }),
    ])
      expect((await equal).body.payment_request?.idempotency_key).toBe(same);
    const differing = await post({}, { idempotencyKey: 'one', headers: { 'idempotency-key': '"two"' } });
    expect(differing.body.error.code).toBe('IDEMPOTENCY_KEY_MISMATCH');
  });

  it('with another intent is 422, names the first and what changed, and reveals no value of it', async () => {
    const idempotencyKey = randomUUID();
    const first = {
      display: { title: 'Seven', lines: [{ name: 'secret-a' }, { name: 'secret-b' }], n: 1.0 },
      metadata: { secret: 'secret-c' },
      transaction_id: 'secret-d',
    };
    const { request_id } = (await post(first, { idempotencyKey })).body.payment_request;
    for (const [body, changed] of [
      [{ ...first, payment: { amount: '12.5' } }, ['payment.amount']],
      [{ ...first, metadata: undefined }, ['metadata']],
      [{ ...first, metadata: { other: 1 } }, ['metadata.secret', 'metadata.other']],
      [{ ...first, transaction_id: undefined }, ['transaction_id']],
      [
        { ...first, display: { ...first.display, lines: [{ name: 'secret-a' }, { name: 'x' }, 3] } },
        ['display.lines[1].name', 'display.lines[2]'],
      ],
      [{ ...first, display: { lines: {} } }, ['display.title', 'display.lines', 'display.n']],
      [{ ...first, expires_in: 600 }, ['expires_in']],
      [{ ...first, source: { channel: 'mail' } }, ['source']],
      [{ ...first, recipient_id: 'rcp_other' }, ['recipient_id']],
      [{ ...first, recipient_version_id: undefined }, ['recipient_version_id']],
    ] as const) {
      const received = await post(body, { idempotencyKey });
      expect([received.status, received.body.error.code]).toEqual([422, 'idempotency_key_reused']);
      expect(received.body.error.details).toEqual({ request_id, changed });
      expect(received.text).not.toMatch(/secret-|Seven|12\.50/);
    }
  });

  it('with a request_id that names another request returns that difference', async () => {
    const idempotencyKey = randomUUID();
    const first = (await post({}, { idempotencyKey })).body.payment_request;
    const named = `order-${randomUUID()}`;
    await post({ request_id: named });
    const received = await post({ request_id: named }, { idempotencyKey });
    expect(received.body.error.details).toEqual({ request_id: first.request_id, changed: ['request_id'] });
  });

  it('is needed, unless the request names its own id', async () => {
    const received = await post({}, { idempotencyKey: undefined });
    expect([received.status, received.body.error.code]).toEqual([400, 'idempotency_key_required']);
    const empty = await post({ idempotency_key: '' }, { idempotencyKey: '' });
    expect(empty.body.error.code).toBe('idempotency_key_required');
    const listed = await post({ surprise: 1 }, { idempotencyKey: undefined });
    expect(listed.body.error.code).toBe('validation_failed');
    expect(listed.body.error.issues.map((issue: { field: string }) => issue.field)).toEqual([
      'surprise',
      'idempotency_key',
    ]);
    const number = await post({ idempotency_key: 5 }, { idempotencyKey: undefined });
    expect(number.body.error.issues.map((issue: { code: string }) => issue.code)).toEqual(['invalid_type']);
    expect((await post({ request_id: randomUUID() }, { idempotencyKey: undefined })).status).toBe(201);
  });

  it('has 1 to 256 characters, any that can be stored and seen', async () => {
    const ask = async (key: string) => {
      const { status, body } = await post({ idempotency_key: key }, { idempotencyKey: undefined });
      return status === 201
        ? body.payment_request.idempotency_key
        : (body.error.issues?.[0]?.code ?? body.error.code);
    };
    for (const key of ['x', 'line\nfeed\tand tab', '\u{1f511}'.repeat(256)]) expect(await ask(key)).toBe(key);
    expect(await ask('bell\u0007')).toBe('risk_control_characters');
    expect(await ask('\u{1f511}'.repeat(257))).toBe('too_long');
    // No text of a body contains it, so the body reader rejects it first.
    expect(await ask('nul\u0000')).toBe('invalid_json');
  });

  it('belongs to its connection', async () => {
    const idempotencyKey = randomUUID();
    await post({}, { idempotencyKey });
    const other = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    expect((await postRequest(service, other, {}, { idempotencyKey })).status).toBe(201);
  });

  it('is remembered after pause, rotation, a newer version of the payee, its own expiry and a restart', async () => {
    const own: PaymentStage = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    own.payee = await activePayee(service, stage.merchant);
    const idempotencyKey = randomUUID();
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const send = () => postRequest(service, own, { expires_at }, { idempotencyKey });
    const made = (await send()).body.payment_request;
    const expectReplay = async (status: string) => {
      const received = await send();
      expect(received.status, received.text).toBe(200);
      expect(received.body.payment_request).toMatchObject({ request_id: made.request_id, status });
      expect(received.body.payment_request.payment).toEqual(made.payment);
    };
    const path = `/v1/connections/${own.connectionId}`;
    const device = deviceOf(own.device);
    await succeed(service.call('PATCH', path, { device, body: { status: 'paused' } }));
    await expectReplay('pending');
    await succeed(service.call('PATCH', path, { device, body: { status: 'active' } }));
    await succeed(service.call('POST', `${path}/rotate-token`, { device }));
    const bearer = await agentToken(service, own.agent);
    own.connectionToken = (
      await succeed(service.call('POST', `${path}/collect-token`, { bearer }))
    ).body.connection_token;
    await expectReplay('pending');
    await replacePayee(service, stage.merchant, own.payee);
    await expectReplay('pending');
    service.clock.advance(60_001);
    await expectReplay('expired');
    await service.restart();
    await expectReplay('expired');
    expect((await allEvents(service, own)).map((event) => event.status)).toEqual(['expired']);
  });
});

describe('an id chosen by the agent', () => {
  it('replays with the same intent, whatever key comes with it, and does not store that key', async () => {
    const request_id = `order-${randomUUID()}`;
    const made = await post({ request_id }, { idempotencyKey: undefined });
    expect(made.status).toBe(201);
    expect(made.body.payment_request.request_id).toBe(request_id);
    expect(made.body.payment_request).not.toHaveProperty('idempotency_key');
    const key = randomUUID();
    const again = await post({ request_id }, { idempotencyKey: key });
    expect(again.status).toBe(200);
    expect(again.body.payment_request).toEqual(made.body.payment_request);
    expect((await post({}, { idempotencyKey: key })).status).toBe(201);
  });

  it('with another intent is 409', async () => {
    const request_id = `order-${randomUUID()}`;
    await post({ request_id });
    const received = await post({ request_id, payment: { amount: '1' } });
    expect([received.status, received.body.error.code]).toEqual([409, 'request_id_conflict']);
  });

  it('with a key that belongs to another record is 422', async () => {
    const request_id = `order-${randomUUID()}`;
    const idempotencyKey = randomUUID();
    await post({ request_id });
    await post({}, { idempotencyKey });
    const received = await post({ request_id }, { idempotencyKey });
    expect([received.status, received.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('of another customer is neither blocked nor distinguished from a free one', async () => {
    const id = `order-${randomUUID()}`;
    const customer = async () => ({
      ...stage,
      ...(await connect(service, stage.agent, await enrolDevice(service))),
    });
    const [first, second, third] = [await customer(), await customer(), await customer()];
    const bodies = [{ request_id: id }, { request_id: id, payment: { amount: '1' } }];
    const answersTo = async (caller: PaymentStage, name: string) => {
      const answers = [];
      for (const body of bodies)
        answers.push(await postRequest(service, caller, { ...body, request_id: name }));
      answers.push(await readRequest(service, caller, name));
      const spelled = JSON.stringify(answers.map(({ status, body }) => [status, body]));
      return spelled
        .replaceAll(name, 'id')
        .replaceAll(caller.connectionId, 'connection')
        .replaceAll(/"(created_at|expires_at|updated_at|idempotency_key|request_id)":"[^"]*"/g, '"$1"');
    };
    await succeed(postRequest(service, first, { request_id: id, payment: { amount: '0.5' } }));
    expect(await answersTo(second, id)).toBe(await answersTo(third, `order-${randomUUID()}`));
    const own = (await readRequest(service, first, id)).body.payment_request;
    expect([own.connection_id, own.payment.amount]).toEqual([first.connectionId, '0.5']);
  });

  it('is unique in the connection: wallet and merchant name the one they mean', async () => {
    const request_id = `order-${randomUUID()}`;
    await post({ request_id });
    const other = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    expect((await postRequest(service, other, { request_id })).status).toBe(201);

    const path = `/v1/payment-requests/${request_id}`;
    const device = deviceOf(stage.device);
    const unclear = await service.call('GET', path, { device });
    expect([unclear.status, unclear.body.error.code]).toEqual([409, 'ambiguous_request_id']);
    const report1 = await report(service, stage, request_id, { status: 'signed' });
    expect([report1.status, report1.body.error.code]).toEqual([409, 'ambiguous_request_id']);
    const { session } = stage.merchant;
    const both = await service.call('GET', path, { session });
    expect([both.status, both.body.error.code]).toEqual([409, 'ambiguous_request_id']);
    for (const connection_id of [stage.connectionId, other.connectionId]) {
      const one = await service.call('GET', path, { session, query: { connection_id } });
      expect(one.body.payment_request).toMatchObject({ request_id, connection_id });
    }
    const chosen = await service.call('GET', path, { device, query: { connection_id: other.connectionId } });
    expect(chosen.body.payment_request).toMatchObject({
      connection_id: other.connectionId,
      status: 'pending',
    });
    const signed = await report(service, stage, request_id, {
      status: 'signed',
      connection_id: other.connectionId,
    });
    expect(signed.body.payment_request).toMatchObject({
      connection_id: other.connectionId,
      status: 'signed',
    });
    const untouched = await readRequest(service, stage, request_id);
    expect(untouched.body.payment_request.status).toBe('pending');
  });

  it('expires for both connections that have it, each with a separate event', async () => {
    const device = await enrolDevice(service);
    const first = { ...stage, ...(await connect(service, stage.agent, device)) };
    const second = { ...stage, ...(await connect(service, stage.agent, device)) };
    const request_id = `order-${randomUUID()}`;
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    for (const each of [first, second]) await succeed(postRequest(service, each, { request_id, expires_at }));
    service.clock.advance(60_001);
    const shown = await service.call('GET', '/v1/payment-requests', { device: deviceOf(device) });
    expect(shown.body.payment_requests.map((row: { status: string }) => row.status)).toEqual([
      'expired',
      'expired',
    ]);
    const events = [...(await allEvents(service, first)), ...(await allEvents(service, second))];
    expect(events.map((event) => [event.sequence, event.request_id, event.connection_id])).toEqual([
      [1, request_id, first.connectionId],
      [1, request_id, second.connectionId],
    ]);
    expect(new Set(events.map((event) => event.event_id)).size).toBe(2);
  });
});

describe('concurrent callers', () => {
  it('with one key all get the one record, and none fails', async () => {
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(Array.from({ length: 60 }, () => post({}, { idempotencyKey })));
    const ids = new Set(answers.map((received) => received.body.payment_request?.request_id));
    expect(ids.size).toBe(1);
    expect(answers.filter((received) => received.status === 201)).toHaveLength(1);
    expect(answers.filter((received) => received.status === 200)).toHaveLength(59);
  });

  it("share a statement without sharing a fate: one caller's refusal never touches another's request", async () => {
    const other = await paymentStage(service);
    const taken = randomUUID();
    await post({ payment: { amount: '9' } }, { idempotencyKey: taken });
    await pendingRequest(service, other);
    const kinds = [
      () => post(),
      () => postRequest(service, other),
      () => post({}, { idempotencyKey: taken }),
      () => post({ recipient_version_id: 'rcv_x' }),
      () => post({ recipient_id: other.payee.recipientId, recipient_version_id: undefined }),
      () => post({ display: { note: 'fine' } }, { bearer: other.connectionToken }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => kinds[index % 6]?.() ?? post()),
    );
    const statuses = answers.map((received) => received.status);
    expect(statuses).toEqual(Array.from({ length: 10 }, () => [201, 201, 422, 409, 404, 404]).flat());
    const own = answers.filter((_received, index) => index % 6 === 0);
    for (const received of own) expect(received.body.payment_request.payment.to).toBe(stage.payee.address);
    const theirs = answers.filter((_received, index) => index % 6 === 1);
    for (const received of theirs) expect(received.body.payment_request.payment.to).toBe(other.payee.address);
  });

  it('with one id and different bodies have one winner', async () => {
    const request_id = `order-${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        post({ ...paymentBody(stage), request_id, payment: { amount: `${index + 1}` } }),
      ),
    );
    expect(answers.filter((received) => received.status === 201)).toHaveLength(1);
    expect(answers.filter((received) => received.status === 409)).toHaveLength(19);
  });
});
