import { agentOf, connect, type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import {
  ConnectionClient,
  hasPinnedFacts,
  isApiError,
  isPayAssentError,
  memoryStore,
  type PaymentRequestEvent,
  readPairingUri,
  SCOPES,
  WalletClient,
} from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
});
afterAll(() => service.close());

function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function askFor(amount: string, client = world.connection) {
  const input = { recipient_id: world.payee.recipientId, payment: { amount } };
  return client.paymentRequests.create(input);
}

describe('a payment', () => {
  it('can be withdrawn by the agent, and its history records that', async () => {
    const { connection, wallet } = world;
    const { request_id, connection_id } = (await askFor('3')).payment_request;
    const { event } = await connection.paymentRequests.withdraw(request_id);
    expect(event).toMatchObject({ actor: 'agent', reason: 'withdrawn_by_agent' });
    expect((await connection.paymentRequests.withdraw(request_id)).event).toBeNull();
    expect(await connection.paymentRequests.history(request_id)).toMatchObject({ events: [event] });
    expect(await wallet.paymentRequests.history(request_id, { connection_id })).toMatchObject({
      events: [event],
    });
    expect(await world.merchant.paymentRequests.history(request_id, { connection_id })).toMatchObject({
      events: [event],
    });
  });

  it('goes from context to confirmation, seen alike by agent, wallet and merchant', async () => {
    const { connection, wallet, merchant, payee } = world;
    const { transaction_context } = await connection.contexts.create({ title: 'Two coffees' });
    const { transaction_id } = transaction_context;
    await connection.contexts.create({ transaction_id, title: 'Three coffees' });
    expect((await connection.contexts.get(transaction_id)).transaction_context.revision).toBe(2);

    const created = await connection.paymentRequests.create({
      recipient_id: payee.recipientId,
      recipient_version_id: payee.recipientVersionId,
      payment: { amount: '12.50' },
      transaction_id,
      display: { note: 'Thank you' },
    });
    const { request_id } = created.payment_request;
    expect(created).toMatchObject({ replayed: false, payment_request: { status: 'pending' } });
    expect(created.payment_request.idempotency_key).toBe(created.idempotency_key);

    const shown = (await wallet.paymentRequests.get(request_id)).payment_request;
    expect(shown.payment).toMatchObject({ amount: '12.50', to: payee.address, asset: 'XLM' });
    expect(hasPinnedFacts(shown)).toBe(true);
    expect(hasPinnedFacts({ ...shown, payment: { ...shown.payment, to: 'GELSEWHERE' } })).toBe(false);
    const revision = shown.transaction_context?.revision ?? 0;
    const read = await wallet.context(transaction_id, { revision });
    expect(read.transaction_context.title).toBe('Three coffees');

    const settled = connection.paymentRequests.waitForStatus(request_id, { timeoutMs: 20_000 });
    const signed = await wallet.paymentRequests.reportStatus(request_id, { status: 'signed' });
    expect(signed.event).toMatchObject({ type: 'payment_request.signed', actor: 'wallet' });
    expect((await wallet.paymentRequests.reportStatus(request_id, { status: 'signed' })).event).toBeNull();
    await wallet.paymentRequests.reportStatus(request_id, { status: 'broadcasted', tx_hash: 'ab12' });
    await wallet.paymentRequests.reportStatus(request_id, { status: 'confirmed' });
    expect(await settled).toMatchObject({ status: 'confirmed', tx_hash: 'ab12', is_final: true });
    const { connection_id } = shown;
    const seen = (await merchant.paymentRequests.get(request_id, { connection_id })).payment_request;
    expect(seen.status).toBe('confirmed');
  });

  it('is replayed, not repeated, when the same key is sent again', async () => {
    const first = await askFor('1');
    const input = { recipient_id: world.payee.recipientId, payment: { amount: '1' } };
    const again = await world.connection.paymentRequests.create(input, {
      idempotencyKey: first.idempotency_key,
    });
    expect(again.replayed).toBe(true);
    expect(again.payment_request.request_id).toBe(first.payment_request.request_id);
    const other = { recipient_id: world.payee.recipientId, payment: { amount: '2' } };
    const options = { idempotencyKey: first.idempotency_key };
    const refused = await caught(world.connection.paymentRequests.create(other, options));
    expect(isApiError(refused, 'idempotency_key_reused')).toBe(true);
  });

  it('takes keys that no header can carry', async () => {
    const input = { recipient_id: world.payee.recipientId, payment: { amount: '1.5' } };
    const options = { idempotencyKey: 'Bestellung № 7 – Kaffee ☕' };
    const first = await world.connection.paymentRequests.create(input, options);
    expect(first.payment_request.idempotency_key).toBe(options.idempotencyKey);
    expect((await world.connection.paymentRequests.create(input, options)).replayed).toBe(true);
  });

  it('that the customer rejects ends the wait with the rejected request', async () => {
    const { request_id } = (await askFor('3')).payment_request;
    const wait = world.connection.paymentRequests.waitForStatus(request_id, { statuses: ['confirmed'] });
    const report = { status: 'rejected', reason_code: 'not_mine', reason: 'I did not order this' } as const;
    await world.wallet.paymentRequests.reportStatus(request_id, report);
    expect(await wait).toMatchObject({ status: 'rejected', reason: 'not_mine' });
  });

  it('that passed the awaited status counts as having reached it', async () => {
    const { request_id } = (await askFor('4')).payment_request;
    await world.wallet.paymentRequests.reportStatus(request_id, { status: 'signed' });
    await world.wallet.paymentRequests.reportStatus(request_id, { status: 'broadcasted' });
    const options = { statuses: ['signed'], timeoutMs: 5000 } as const;
    const passed = await world.connection.paymentRequests.waitForStatus(request_id, options);
    expect(passed.status).toBe('broadcasted');
  });

  it('that no one decides ends the wait with an error that can be distinguished', async () => {
    const { request_id } = (await askFor('5')).payment_request;
    const wait = world.connection.paymentRequests.waitForStatus(request_id, { timeoutMs: 1200 });
    const late = await caught(wait);
    expect(isPayAssentError(late) && late.code).toBe('wait_timeout');
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = caught(world.connection.paymentRequests.waitForStatus(request_id, { signal }));
    setTimeout(() => controller.abort(new Error('enough')), 300);
    expect(await aborted).toMatchObject({ message: 'enough' });
  });

  it('lists what the connection has requested', async () => {
    const mine = new Set<string>();
    for await (const request of world.connection.paymentRequests.each({ limit: 2 }))
      mine.add(request.request_id);
    const page = await world.merchant.paymentRequests.list({ limit: 100 });
    expect(mine).toEqual(new Set(page.payment_requests.map(({ request_id }) => request_id)));
  });
});

describe('events', () => {
  it('come once each, in order, and continue from a stored cursor', async () => {
    const { client } = await connect(world.agent, world.wallet);
    const ids: string[] = [];
    for (const amount of ['1', '2', '3']) ids.push((await askFor(amount, client)).payment_request.request_id);
    const [first = '', second = '', third = ''] = ids;
    await world.wallet.paymentRequests.reportStatus(first, { status: 'signed' });
    await world.wallet.paymentRequests.reportStatus(second, { status: 'rejected' });

    const seen: PaymentRequestEvent[] = [];
    for await (const event of client.paymentRequests.events({ limit: 1 })) {
      seen.push(event);
      if (seen.length === 2) break;
    }
    expect(seen.map(({ sequence, request_id, status }) => [sequence, request_id, status])).toEqual([
      [1, first, 'signed'],
      [2, second, 'rejected'],
    ]);

    const rest = client.paymentRequests.events({ since: 2 });
    const next = rest.next();
    await world.wallet.paymentRequests.reportStatus(third, { status: 'failed' });
    expect((await next).value).toMatchObject({ sequence: 3, request_id: third });
    await rest.return();
  });

  it('end immediately when the signal is aborted', async () => {
    const controller = new AbortController();
    const waiting = world.connection.paymentRequests
      .events({ since: 1000, signal: controller.signal })
      .next();
    setTimeout(() => controller.abort(), 200);
    expect(await caught(waiting)).toMatchObject({ name: 'AbortError' });
  });
});

describe('the inbox', () => {
  it('shows what is there, then what arrives', async () => {
    const { client, device } = await WalletClient.enrol({ baseUrl: service.url }, { name: 'Other phone' });
    expect(device.wallet_id).toMatch(/^wlt_/);
    const { client: connection } = await connect(world.agent, client);
    const there = [await askFor('1', connection), await askFor('2', connection)];
    const inbox = client.paymentRequests.inbox({ waitSeconds: 5 });
    const seen = [await inbox.next(), await inbox.next()].map(({ value }) => value?.request_id);
    expect(seen.toSorted()).toEqual(there.map((entry) => entry.payment_request.request_id).toSorted());
    const next = inbox.next();
    const arrived = await askFor('3', connection);
    expect((await next).value?.request_id).toBe(arrived.payment_request.request_id);
    await inbox.return();
  });
});

describe('connecting', () => {
  it('waits for the approval of a claimed key', async () => {
    const { connect_key } = await world.wallet.connectKeys.create();
    const input = { connect_key, requested_scopes: SCOPES };
    const waiting = world.agent.invitations.connect(input, { pollMs: 100 });
    const invitation = await firstInvitation();
    expect(invitation.merchant.verified_domain).toContain('.example');
    await world.wallet.invitations.approve(invitation.connect_invitation_id, {
      scopes: ['payment.requests.create', 'payment.requests.read'],
    });
    const { client, connection } = await waiting;
    expect(connection.scopes).toEqual(['payment.requests.create', 'payment.requests.read']);
    const refused = await caught(client.contexts.create({ title: 'x' }));
    expect(isApiError(refused, 'insufficient_scope')).toBe(true);
  });

  it('distinguishes a rejection from a withdrawn key', async () => {
    const { connect_key } = await world.wallet.connectKeys.create();
    const input = { connect_key, requested_scopes: SCOPES };
    const waiting = caught(world.agent.invitations.connect(input, { pollMs: 100 }));
    const invitation = await firstInvitation();
    await world.wallet.invitations.reject(invitation.connect_invitation_id);
    expect(await waiting).toMatchObject({ code: 'not_approved', status: 'rejected' });

    const other = await world.wallet.connectKeys.create();
    await world.wallet.connectKeys.withdraw(other.connect_key_id);
    const claim = { connect_key: other.connect_key, requested_scopes: SCOPES };
    expect(isApiError(await caught(world.agent.invitations.claim(claim)), 'connect_key_used')).toBe(true);
  });

  it('by a code that the customer types or scans', async () => {
    const { pairing_session } = await world.agent.pairing.start({ requested_scopes: SCOPES });
    const scanned = readPairingUri(pairing_session.pairing_uri);
    expect(scanned?.sessionId).toBe(pairing_session.pairing_session_id);
    const waiting = world.agent.pairing.wait(pairing_session, { pollMs: 100, timeoutMs: 10_000 });
    const found = await world.wallet.pairing.find(pairing_session.code.toLowerCase());
    const code = scanned?.code ?? '';
    await world.wallet.pairing.approve(found.pairing_session.pairing_session_id, { code });
    const { client, connection_token } = await waiting;
    const { payment_request } = await askFor('1', client);
    expect(payment_request.status).toBe('pending');
    const { request_id, connection_id } = payment_request;
    const seen = await world.merchant.paymentRequests.get(request_id, { connection_id });
    expect(seen.payment_request.created_with).toBe('proof');
    // The token is the agent's own: one that the wallet has seen shows no payees.
    const bare = new ConnectionClient({ baseUrl: service.url, connectionToken: connection_token });
    expect((await bare.payees.list()).payees.length).toBeGreaterThan(0);

    const second = await world.agent.pairing.start({ requested_scopes: SCOPES });
    const { pairing_session_id, code: secondCode } = second.pairing_session;
    await world.wallet.pairing.reject(pairing_session_id, { code: secondCode });
    const rejected = await caught(world.agent.pairing.wait(second.pairing_session));
    expect(rejected).toMatchObject({ code: 'not_approved', status: 'rejected' });
  });

  async function firstInvitation() {
    for (;;) {
      for await (const invitation of world.wallet.invitations.each({ status: 'pending_approval' }))
        return invitation;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

describe('the customer stays in charge', () => {
  it('a rotated token is collected and stored automatically', async () => {
    const store = memoryStore();
    const agent = agentOf(service, world.registered, { store });
    const { client, connection } = await connect(agent, world.wallet);
    await askFor('1', client);
    const rotated = await world.wallet.connections.rotateToken(connection.connection_id);
    const [created, listed] = await Promise.all([askFor('2', client), client.paymentRequests.list()]);
    expect(created.payment_request.status).toBe('pending');
    expect(listed.payment_requests.length).toBeGreaterThan(0);
    const own = await store.get(`token/${connection.connection_id}`);
    expect(own).not.toBe(rotated.connection_token);
    const alone = new ConnectionClient({ baseUrl: service.url, connectionToken: rotated.connection_token });
    expect(isApiError(await caught(alone.paymentRequests.list()), 'token_rotated')).toBe(true);
  });

  it('a token that a wallet has seen is replaced when payees are read', async () => {
    const { connection } = await connect(world.agent, world.wallet);
    const { connection_id: connectionId } = connection;
    const { connection_token: shared } = await world.wallet.connections.rotateToken(connectionId);
    const bare = new ConnectionClient({ baseUrl: service.url, connectionToken: shared });
    expect(isApiError(await caught(bare.payees.list()), 'insufficient_scope')).toBe(true);
    const agent = agentOf(service, world.registered, { store: memoryStore() });
    const { payees } = await agent.connection({ connectionId, connectionToken: shared }).payees.list();
    expect(payees.length).toBeGreaterThan(0);
    expect(isApiError(await caught(bare.paymentRequests.list()), 'token_rotated')).toBe(true);
  });

  it('a paused connection refuses, a revoked one stays refused without another try', async () => {
    const { client, connection } = await connect(world.agent, world.wallet);
    await world.wallet.connections.pause(connection.connection_id);
    expect(isApiError(await caught(askFor('1', client)), 'connection_paused')).toBe(true);
    await world.wallet.connections.resume(connection.connection_id);
    await askFor('1', client);
    await world.wallet.connections.revoke(connection.connection_id);
    const refused = await caught(askFor('1', client));
    if (!isApiError(refused, 'token_revoked')) throw refused;
    expect(refused.attempts).toBe(1);
    const states = new Map<string, string>();
    for await (const entry of world.agent.connections.each({ limit: 3 }))
      states.set(entry.connection_id, entry.status);
    expect(states.get(connection.connection_id)).toBe('revoked');
  });

  it('devices are linked, rotate their token and are removed', async () => {
    const { client, token } = await WalletClient.enrol({ baseUrl: service.url }, { name: 'Phone' });
    const { link_code } = await client.devices.createLinkCode();
    const input = { name: 'Tablet', link_code };
    const { client: tablet, device } = await WalletClient.enrol({ baseUrl: service.url }, input);
    const rotated = await client.devices.rotateToken();
    expect(rotated.token).not.toBe(token);
    const names: string[] = [];
    for await (const entry of client.devices.each({ limit: 1 })) names.push(entry.name);
    expect(names.toSorted()).toEqual(['Phone', 'Tablet']);
    const old = new WalletClient({ baseUrl: service.url, deviceToken: token });
    expect(isApiError(await caught(old.devices.list()), 'token_rotated')).toBe(true);
    await client.devices.delete(device.device_id);
    expect(isApiError(await caught(tablet.connections.list()), 'token_revoked')).toBe(true);
  });
});
