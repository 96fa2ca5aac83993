import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  openWindow,
  pay,
  report,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { activeEndpoint, answering, eventsAt, until, verified } from '@payassent/proof/people/webhooks';
import type { Body, Received, Sent } from '@payassent/proof/service/client';
import { openStream } from '@payassent/proof/service/event-stream';
import { startProcess } from '@payassent/proof/service/process';
import { secondService, serviceAhead } from '@payassent/proof/service/second-service';
import { freePort, startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

const EVENTS = '/v1/agent-payments/events';
const SIGNED_WAY = ['signed', 'broadcasted', 'confirmed'];

async function freshUser(): Promise<Autonomy> {
  const user = await anotherUser(service, world);
  await activePolicy(service, user, { validity_window: openWindow(service.clock.now()) });
  return user;
}

const intent = async (user: Autonomy, overrides: Record<string, unknown> = {}): Promise<Body> =>
  (await succeed(pay(service, user, '1', overrides))).body.data;

const poll = (user: Autonomy, query: Sent['query'] = {}, from: Pick<TestService, 'call'> = service) =>
  from.call('GET', EVENTS, { bearer: user.connectionToken, query });

async function allEvents(user: Autonomy): Promise<Body[]> {
  return (await succeed(poll(user, { limit: 500 }))).body.data.events;
}

async function walk(user: Autonomy, paymentId: string, statuses = SIGNED_WAY): Promise<void> {
  for (const status of statuses) await succeed(report(service, user, paymentId, status));
}

describe('events of agent payments', () => {
  it('are one for each change, numbered without gaps, as pages and in the history of their payment', async () => {
    const user = await freshUser();
    const [first, second] = [await intent(user), await intent(user)];
    expect((await poll(user)).body.data).toEqual({ events: [], next_cursor: 0, has_more: false });
    await succeed(report(service, user, first.id, 'signed', { tx_hash: 'ab'.repeat(32) }));
    await succeed(report(service, user, second.id, 'rejected', { reason_code: 'user_rejected' }));
    await walk(user, first.id, ['broadcasted', 'confirmed']);

    const events = await allEvents(user);
    expect(events.map((event) => [event.sequence, event.agent_payment_id, event.type])).toEqual([
      [1, first.id, 'agent_payment.signed'],
      [2, second.id, 'agent_payment.rejected'],
      [3, first.id, 'agent_payment.broadcasted'],
      [4, first.id, 'agent_payment.confirmed'],
    ]);
    expect(events[0]).toMatchObject({
      connection_id: user.connectionId,
      status: 'signed',
      previous_status: 'intent_created',
      state_version: 2,
      actor: 'wallet',
      tx_hash: 'ab'.repeat(32),
    });
    expect(events[1]).toMatchObject({ reason: 'user_rejected' });

    const page = (await poll(user, { since: 1, limit: 2 })).body.data;
    expect(page).toEqual({ events: events.slice(1, 3), next_cursor: 3, has_more: true });
    const path = `/v1/agent-payments/${first.id}/events`;
    const readers: Sent[] = [
      { bearer: user.connectionToken },
      { apiKey: user.apiKey },
      { bearer: user.admin },
      { session: user.merchant.session },
      { device: deviceOf(user.device) },
    ];
    const own = events.filter((event) => event.agent_payment_id === first.id);
    for (const sent of readers)
      expect((await succeed(service.call('GET', path, sent))).body.data).toEqual({
        id: first.id,
        status: 'confirmed',
        events: own,
      });
  });

  it('name who caused them: the wallet, the agent, the merchant, the clock', async () => {
    const user = await freshUser();
    const cancel = async (sent: Sent) => {
      const { id } = await intent(user);
      await succeed(service.call('POST', `/v1/agent-payments/${id}/cancel`, sent));
    };
    await cancel({ apiKey: user.apiKey });
    await cancel({ bearer: user.admin });
    const soon = new Date(service.clock.now().getTime() + 60_000).toISOString();
    await intent(user, { expires_at: soon });
    const ahead = await serviceAhead(service, 61_000);
    const { events } = (await succeed(poll(user, {}, ahead))).body.data;
    expect(events.map((event: Body) => [event.status, event.actor, event.occurred_at === soon])).toEqual([
      ['cancelled', 'agent', false],
      ['cancelled', 'merchant', false],
      ['expired', 'system', true],
    ]);
  });

  it('record a recall and a takeover', async () => {
    const own = await autonomy(service);
    await activePolicy(service, own, { validity_window: openWindow(service.clock.now()) });
    const taken = await intent(own);
    await succeed(report(service, own, taken.id, 'signed'));
    const code = await succeed(
      service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(own.device) }),
    );
    const device = await enrolDevice(service, { link_code: code.body.link_code });
    await succeed(report(service, { ...own, device }, taken.id, 'broadcasted', { takeover: true }));
    await intent(own);
    const { session } = own.merchant;
    const recipient = `/v1/recipients/${own.payee.recipientId}`;
    await succeed(service.call('POST', `${recipient}/reject-pending`, { session }));
    const events = await allEvents(own);
    expect(events.map(({ status, actor, reason, takeover }) => [status, actor, reason, takeover])).toEqual([
      ['signed', 'wallet', undefined, undefined],
      ['broadcasted', 'wallet', undefined, true],
      ['rejected', 'merchant', 'payee_recalled', undefined],
    ]);
  });

  it('are read with the connection token and the scope alone, and only its own', async () => {
    const user = await freshUser();
    const { id } = await intent(user);
    await walk(user, id);
    expect(outcome(await service.call('GET', EVENTS, { apiKey: user.apiKey }))).toBe('401 unauthenticated');
    expect(outcome(await service.call('GET', EVENTS, { device: deviceOf(user.device) }))).toBe(
      '401 unauthenticated',
    );
    const narrow = await connect(service, user.agent, user.device, ['payment.requests.create']);
    expect(outcome(await poll({ ...user, ...narrow }))).toBe('403 insufficient_scope');
    expect(outcome(await poll(user, { since: 'x' }))).toBe('400 invalid_cursor');
    // Another customer of the same agent, and another merchant.
    for (const stranger of [await freshUser(), await autonomy(service)]) {
      expect(await allEvents(stranger)).toEqual([]);
      for (const part of ['', '/events', '/evidence']) {
        const path = `/v1/agent-payments/${id}${part}`;
        const sent = { bearer: stranger.connectionToken };
        expect(outcome(await service.call('GET', path, sent)), path).toBe('404 resource_not_found');
      }
    }
  });

  it('are final in the database', async () => {
    const user = await freshUser();
    await walk(user, (await intent(user)).id);
    for (const db of [service.db, service.context.db]) {
      await expect(db`update agent_payment_events set actor = 'system'`).rejects.toThrow();
      await expect(db`delete from agent_payment_events`).rejects.toThrow();
    }
  });

  it('number many concurrent changes, from two services, without a gap, and agree with the records', async () => {
    const user = await anotherUser(service, world);
    await activePolicy(service, user, {
      cumulative_limit: '100',
      validity_window: openWindow(service.clock.now()),
    });
    const other = await secondService(service);
    const payments = await Promise.all(Array.from({ length: 24 }, () => intent(user)));
    const move = ({ id }: Body, index: number): Promise<Received> => {
      const by = index % 2 === 0 ? service : other;
      if (index % 3 === 0) return by.call('POST', `/v1/agent-payments/${id}/cancel`, { apiKey: user.apiKey });
      return report(by, user, id, index % 3 === 1 ? 'signed' : 'rejected');
    };
    for (const received of await Promise.all(payments.map(move))) expect(received.status).toBe(200);
    const events = await allEvents(user);
    expect(events.map(({ sequence }) => sequence)).toEqual(payments.map((_, index) => index + 1));
    for (const { id } of payments) {
      const path = `/v1/agent-payments/${id}`;
      const { status, state_version } = (await service.call('GET', path, { apiKey: user.apiKey })).body.data;
      const own = events.filter((event) => event.agent_payment_id === id);
      expect(own).toMatchObject([{ status, state_version, previous_status: 'intent_created' }]);
    }
  });

  it('come to webhooks with the id and the number that are polled', async () => {
    const own = await autonomy(service);
    const receiver = await startHttpReceiver();
    onTestFinished(() => receiver.close());
    receiver.script(answering());
    const { secret } = await activeEndpoint(service, own.merchant, receiver, {
      event_types: ['agent_payment.*'],
    });
    await activePolicy(service, own, { validity_window: openWindow(service.clock.now()) });
    const { id } = await intent(own);
    await walk(own, id);
    await until(async () => eventsAt(receiver).length === 4, 60_000);
    const told = eventsAt(receiver).map((request) => verified(request, secret));
    const polled = (await allEvents(own)).map((event) => [event.event_id, event.type, event.sequence]);
    const byNumber = told.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    expect(byNumber.map((message) => [message.id, message.type, message.sequence])).toEqual([
      [expect.stringMatching(/^evt_/), 'agent_payment.created', undefined],
      ...polled,
    ]);
  });
});

describe('waiting for events of agent payments', () => {
  it('ends with the change, in another process too, and with the token', async () => {
    const user = await freshUser();
    const { id } = await intent(user);
    const other = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
    onTestFinished(async () => void (await other.end('SIGKILL')));
    const waiting = [poll(user, { wait: 30 }), poll(user, { wait: 30 }, other)];
    await succeed(report(service, user, id, 'signed'));
    for (const received of await Promise.all(waiting)) expect(received.body.data.events).toHaveLength(1);
    const last = poll(user, { since: 1, wait: 30 });
    await succeed(
      service.call('DELETE', `/v1/connections/${user.connectionId}`, { device: deviceOf(user.device) }),
    );
    expect(outcome(await last)).toBe('401 token_revoked');
  });

  it('as a stream: the same events, after Last-Event-ID, until the token ends', async () => {
    const user = await freshUser();
    const { id } = await intent(user);
    await walk(user, id, ['signed', 'broadcasted']);
    const sent = { headers: { 'last-event-id': '1' } };
    const stream = await openStream(service.url, EVENTS, user.connectionToken, sent);
    await walk(user, id, ['confirmed']);
    const messages = await stream.reached(2);
    expect(messages.map(({ event, data }) => [event, data])).toEqual(
      (await allEvents(user)).slice(1).map((event) => ['agent_payment', event]),
    );
    await succeed(
      service.call('POST', `/v1/connections/${user.connectionId}/rotate-token`, {
        device: deviceOf(user.device),
      }),
    );
    await stream.over();
    const refused = await openStream(service.url, EVENTS, user.connectionToken);
    expect([refused.status, refused.refusal.success, refused.refusal.error.code]).toEqual([
      401,
      false,
      'token_rotated',
    ]);
  });
});

describe('the connection token', () => {
  it('reads its own payments and policies, and changes neither', async () => {
    const user = await freshUser();
    const { id } = await intent(user);
    const bearer = user.connectionToken;
    const read = (path: string) => service.call('GET', path, { bearer });
    expect((await succeed(read(`/v1/agent-payments/${id}`))).body.data.id).toBe(id);
    expect((await succeed(read('/v1/agent-payments'))).body.data.items.map((item: Body) => item.id)).toEqual([
      id,
    ]);
    const { items } = (await succeed(read('/v1/automation-policies'))).body.data;
    expect(items).toMatchObject([{ connection_id: user.connectionId, usage: { reserved: '1' } }]);
    const policy = `/v1/automation-policies/${items[0].id}`;
    expect((await succeed(read(policy))).body.data).toEqual(items[0]);
    const calls: [string, string, Body?][] = [
      ['POST', `/v1/agent-payments/${id}/cancel`],
      ['POST', `${policy}/pause`],
      ['DELETE', policy],
      ['PATCH', policy, { single_tx_limit: '1', version: items[0].version }],
    ];
    for (const [method, path, body] of calls)
      expect(outcome(await service.call(method, path, { bearer, body })), path).toBe('401 unauthenticated');
    const stranger = await freshUser();
    expect(outcome(await service.call('GET', policy, { bearer: stranger.connectionToken }))).toBe(
      '404 resource_not_found',
    );
  });
});
