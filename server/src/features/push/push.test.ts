import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  pay,
} from '@payassent/proof/people/autonomy';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { succeed } from '@payassent/proof/people/merchants';
import { pendingRequest, report } from '@payassent/proof/people/payments';
import { claim, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { until } from '@payassent/proof/people/webhooks';
import { createTestClock } from '@payassent/proof/service/clock';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { ReceivedRequest } from '@payassent/proof/surroundings/http-receiver';
import {
  claimsIn,
  pushKeyOf,
  sentTo,
  startPushService,
  subscribeDevice,
  type TestPushService,
  type TestSubscription,
} from '@payassent/proof/surroundings/push-service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../config/index.ts';
import { type Context, createContext } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { addMs } from '../../lib/clock.ts';
import { pushJob } from './job.ts';
import { createVapidKeys } from './vapid.ts';

const LEASE_MS = 35_000;
let service: TestService;
let pushes: TestPushService;
let publicKey: string;
let first: Autonomy;
let world: Autonomy;
let subscription: TestSubscription;

beforeAll(async () => {
  [service, pushes] = await Promise.all([startService(), startPushService()]);
  first = await autonomy(service);
  publicKey = await pushKeyOf(service);
  // From here on the test itself runs the sender's turns, with a frozen clock.
  await service.restart({ jobs: false });
});
afterAll(async () => {
  await service.close();
  await pushes.close();
});
beforeEach(async () => {
  service.clock.freeze(new Date());
  pushes.script({ kind: 'answer', status: 201 });
  world = await newUser();
  subscription = pushes.subscription();
  await subscribeDevice(service, world.device, subscription);
  service.clock.advance(1);
});

/** The same merchant and agent, with a separate wallet. */
const newUser = () => anotherUser(service, first);
const ownDevice = async () =>
  (await service.call('GET', '/v1/wallet-devices', { device: deviceOf(world.device) })).body.devices[0];
const anotherDevice = async () => {
  const device = deviceOf(world.device);
  const { body } = await succeed(service.call('POST', '/v1/wallet-devices/link-codes', { device }));
  return enrolDevice(service, { link_code: body.link_code });
};

/** One for each context, as in the service. */
const senders = new Map<Context, Job>();
function give(context: Context): Promise<boolean> {
  const sender = senders.get(context) ?? pushJob(createVapidKeys());
  senders.set(context, sender);
  return sender.run(context);
}

/** Runs one turn of the sender, and waits for everything it sent. */
async function turn(context: Context = service.context): Promise<void> {
  while (await give(context));
  const leaseEnd = addMs(context.clock.now(), LEASE_MS);
  const leased = () => service.db`select from push_subscriptions where quiet_until = ${leaseEnd} limit 1`;
  await until(async () => (await leased()).length === 0, 60_000);
}

const later = async (ms: number) => {
  service.clock.advance(ms);
  await turn();
};
const messages = (of = subscription) => pushes.messages(of, publicKey).map((text) => JSON.parse(text));
const path = (deviceId: string) => `/v1/wallet-devices/${deviceId}/push-subscription`;
const rowsOf = (deviceId: string) =>
  service.db`select * from push_subscriptions where device_id = ${deviceId}`;
const ask = (overrides: Record<string, unknown> = {}) => pendingRequest(service, world, overrides);

describe('a device that subscribes to notifications', () => {
  it('gets one for a payment request: kind and count, encrypted for it, signed under the published key', async () => {
    await ask({ expires_in: 600 });
    await turn();
    const [sent] = sentTo(pushes, subscription) as [ReceivedRequest];
    expect(pushes.messages(subscription, publicKey)).toEqual(['{"kind":"payment_request","waiting":1}']);
    expect(sent.method).toBe('POST');
    expect(sent.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '600',
      urgency: 'high',
      topic: 'waiting',
    });
    const { exp, ...rest } = claimsIn(sent, publicKey);
    expect(rest).toEqual({ aud: pushes.url, sub: service.url });
    const leftS = exp - service.clock.now().getTime() / 1000;
    expect(leftS > 0 && leftS <= 86_400).toBe(true);
  });

  it('gets one for an agent payment, an invitation and a proposed policy, with the count of all that wait', async () => {
    await activePolicy(service, world);
    await later(6_000);
    await succeed(pay(service, world, '3'));
    await later(6_000);
    await claim(service, world.agent, world.device);
    await later(6_000);
    await draftPolicy(service, world, { asset: 'USDC', issuer: world.payee.address });
    await later(6_000);
    await ask();
    await later(6_000);
    expect(messages().slice(-4)).toEqual([
      { kind: 'agent_payment', waiting: 1 },
      { kind: 'invitation', waiting: 2 },
      { kind: 'policy', waiting: 3 },
      { kind: 'payment_request', waiting: 4 },
    ]);
  });

  it("gets one for a pending change of the wallet's keys, whichever device made it, and none after it is cancelled", async () => {
    const second = await anotherDevice();
    const other = pushes.subscription();
    await subscribeDevice(service, second, other);
    service.clock.advance(1);
    await succeed(putKey(service, world.device, newDecisionKey()));
    const { body } = await putKey(service, second, newDecisionKey());
    expect(body.pending_change.status).toBe('pending');
    await turn();
    for (const of of [subscription, other])
      expect(messages(of)).toEqual([{ kind: 'wallet_change', waiting: 1 }]);
    await succeed(
      service.call('DELETE', `/v1/wallets/current/pending-changes/${body.pending_change.change_id}`, {
        device: deviceOf(world.device),
      }),
    );
    service.clock.advance(10_000);
    await ask();
    await turn();
    expect(messages().at(-1)).toEqual({ kind: 'payment_request', waiting: 1 });
  });

  it('learns no payee, amount, agent or id, and all messages have one length', async () => {
    await ask({ payment: { amount: '98765.4321' } });
    await later(6_000);
    await claim(service, world.agent, world.device);
    await later(6_000);
    const sent = sentTo(pushes, subscription);
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ body }) => body.length)).size).toBe(1);
    for (const message of messages()) expect(Object.keys(message)).toEqual(['kind', 'waiting']);
    const secrets = [
      '98765',
      world.payee.address,
      world.payee.recipientId,
      world.agent.agentId,
      'mer_',
      'req_',
      'pr_',
    ];
    const seen = [
      ...pushes.messages(subscription, publicKey),
      ...sent.map(({ headers }) => JSON.stringify(headers)),
    ];
    for (const secret of secrets) expect(seen.join()).not.toContain(secret);
  });

  it('gets at most one message in five seconds, and the last one counts everything', async () => {
    await ask();
    await turn();
    await ask();
    await claim(service, world.agent, world.device);
    await later(4_999);
    expect(messages()).toEqual([{ kind: 'payment_request', waiting: 1 }]);
    await ask();
    await later(1);
    expect(messages()).toEqual([
      { kind: 'payment_request', waiting: 1 },
      { kind: 'payment_request', waiting: 4 },
    ]);
    await later(6_000);
    expect(messages()).toHaveLength(2);
  });

  it('is reminded once, at three quarters of the life of a request that no one has decided', async () => {
    const decided = await ask({ expires_in: 300 });
    await ask({ expires_in: 400 });
    await turn();
    await later(6_000);
    await succeed(report(service, world, decided.request_id, { status: 'rejected' }));
    await later(293_000);
    expect(messages()).toEqual([{ kind: 'payment_request', waiting: 2 }]);
    await later(2_000);
    expect(messages().slice(1)).toEqual([{ kind: 'payment_request', waiting: 1 }]);
    await later(6_000);
    await later(80_000);
    expect(messages()).toHaveLength(2);
  });

  it('gets one for a request whose moment is before the last message and that became visible after it', async () => {
    const clock = createTestClock();
    clock.freeze(addMs(service.clock.now(), -3_000));
    await ask();
    await turn();
    const behind = await secondService(service, clock);
    await pendingRequest(behind, world);
    await later(5_000);
    expect(messages().at(-1)).toEqual({ kind: 'payment_request', waiting: 2 });
    await later(6_000);
    expect(messages()).toHaveLength(2);
  });

  it('gets none for what was there before it subscribed, and none for what has ended', async () => {
    await ask({ expires_in: 60 });
    const joined = pushes.subscription();
    const device = await anotherDevice();
    service.clock.advance(1);
    await subscribeDevice(service, device, joined);
    await turn();
    expect(messages()).toHaveLength(1);
    expect(messages(joined)).toEqual([]);
    service.clock.advance(61_000);
    await ask();
    await turn();
    expect(messages(joined)).toEqual([{ kind: 'payment_request', waiting: 1 }]);
  });

  it('shows it, to its owner and to the agent that waits; ends with one call, and with the device', async () => {
    const shown = async () => {
      const device = await ownDevice();
      const current = await service.call('GET', '/v1/connections/current', { bearer: world.connectionToken });
      return [device.has_push, current.body.wallet.has_push];
    };
    expect(await shown()).toEqual([true, true]);
    for (let turn = 0; turn < 2; turn += 1) {
      const ended = await service.call('DELETE', path(world.device.device_id), {
        device: deviceOf(world.device),
      });
      expect([ended.status, ended.body.device.has_push]).toEqual([200, false]);
    }
    expect(await shown()).toEqual([false, false]);
    await subscribeDevice(service, world.device, subscription);
    expect(await shown()).toEqual([true, true]);
    await succeed(
      service.call('DELETE', `/v1/wallet-devices/${world.device.device_id}`, {
        device: deviceOf(world.device),
      }),
    );
    expect(await rowsOf(world.device.device_id)).toHaveLength(0);
  });

  it('falls silent when a recovery ends every other device', async () => {
    const body = { name: 'New phone', recovery_code: world.device.recoveryCode, revoke_others: true };
    await succeed(service.call('POST', '/v1/wallet-devices', { body }));
    expect(await rowsOf(world.device.device_id)).toHaveLength(0);
  });

  it('speaks for itself alone: a sibling, a foreign device and none at all are the same 404', async () => {
    const sibling = await anotherDevice();
    const ids = [sibling.device_id, first.device.device_id, `dev_${'0'.repeat(26)}`];
    for (const [method, body] of [
      ['PUT', pushes.subscription().body],
      ['DELETE', undefined],
    ] as const) {
      const answers = await Promise.all(
        ids.map((id) =>
          service.call(method, path(id), { device: deviceOf(world.device), ...(body && { body }) }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(
        new Set(answers.map(({ body: { error } }) => JSON.stringify({ ...error, request_id: '' }))).size,
      ).toBe(1);
    }
    expect(await rowsOf(sibling.device_id)).toHaveLength(0);
  });

  it.each([
    ['endpoint', { endpoint: 'http://push.example/x' }],
    ['endpoint', { endpoint: 'https://10.0.0.1/x' }],
    ['endpoint', { endpoint: 'https://user:pw@push.example/x' }],
    ['keys.p256dh', { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url') } }],
    ['keys.p256dh', { keys: { p256dh: Buffer.alloc(33, 2).toString('base64url') } }],
    ['keys.auth', { keys: { auth: Buffer.alloc(15).toString('base64url') } }],
  ])('is refused with a wrong %s: %j', async (field, wrong) => {
    const { body } = subscription;
    const sent = { ...body, ...wrong, keys: { ...body.keys, ...('keys' in wrong ? wrong.keys : {}) } };
    const answer = await service.call('PUT', path(world.device.device_id), {
      device: deviceOf(world.device),
      body: sent,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues.map((issue: { field: string }) => issue.field)).toEqual([field]);
  });
});

describe('a push service', () => {
  it.each([404, 410])('that returns %i ends the subscription', async (status) => {
    pushes.script({ kind: 'answer', status });
    await ask();
    await turn();
    expect(await rowsOf(world.device.device_id)).toHaveLength(0);
    expect((await ownDevice()).has_push).toBe(false);
  });

  it('that requests a wait is called again after it, and the message is then the newest', async () => {
    pushes.script({ kind: 'answer', status: 429, headers: { 'retry-after': '20' } });
    await ask();
    await turn();
    await ask();
    await later(19_000);
    expect(sentTo(pushes, subscription)).toHaveLength(1);
    pushes.script({ kind: 'answer', status: 201 });
    await later(1_000);
    expect(messages().at(-1)).toEqual({ kind: 'payment_request', waiting: 2 });
    await later(6_000);
    expect(sentTo(pushes, subscription)).toHaveLength(2);
  });

  it.each([
    ['fails', { kind: 'answer', status: 503 }],
    ['leads somewhere else', { kind: 'redirect', location: 'http://127.0.0.1:1/' }],
  ] as const)(
    'that %s is called five times in growing pauses, and again with the next request',
    async (_, how) => {
      pushes.script(how);
      await ask({ expires_in: 86_400 });
      await turn();
      const counts = [];
      for (const pauseMs of [5_000, 30_000, 120_000, 600_000, 600_000, 3_600_000]) {
        await later(pauseMs - 1_000);
        counts.push(sentTo(pushes, subscription).length);
        await later(1_000);
      }
      expect(counts).toEqual([1, 2, 3, 4, 5, 5]);
      pushes.script({ kind: 'answer', status: 201 });
      await ask();
      await turn();
      expect(messages().at(-1)).toEqual({ kind: 'payment_request', waiting: 2 });
    },
  );
});

describe('the sender', () => {
  it('costs a create nothing: it succeeds while no one can read or write a subscription', async () => {
    await service.db.begin(async (tx) => {
      await tx`lock table push_subscriptions in access exclusive mode`;
      await ask();
    });
    await turn();
    expect(messages()).toHaveLength(1);
  });

  it('in two concurrent processes sends every message once', async () => {
    const other = await secondService(service);
    const users = await Promise.all(Array.from({ length: 8 }, newUser));
    const subscriptions = users.map(() => pushes.subscription());
    for (const [index, user] of users.entries())
      await subscribeDevice(service, user.device, subscriptions[index] as TestSubscription);
    service.clock.advance(1);
    await Promise.all(users.map((user) => pendingRequest(service, user)));
    await Promise.all([turn(), turn(other.context), turn(), turn(other.context)]);
    expect(subscriptions.map((one) => messages(one).length)).toEqual(users.map(() => 1));
  });

  it('that is cut short in the midst of a message leaves it to another one, a lease later', async () => {
    const other = await secondService(service);
    pushes.script({ kind: 'never' });
    await ask();
    await give(other.context);
    await until(() => sentTo(pushes, subscription).length === 1, 60_000);
    await other.end();
    pushes.script({ kind: 'answer', status: 201 });
    await give(service.context);
    expect(sentTo(pushes, subscription)).toHaveLength(1);
    await later(LEASE_MS);
    expect(messages()).toHaveLength(2);
  });

  it('keeps no endpoint in the open, and removes what a device left behind that was removed elsewhere', async () => {
    const [row] = await rowsOf(world.device.device_id);
    expect(row?.['box'].includes(new URL(subscription.body.endpoint).pathname)).toBe(false);
    await service.db`update devices set status = 'revoked' where device_id = ${world.device.device_id}`;
    await ask();
    await turn();
    expect(messages()).toEqual([]);
    expect(await rowsOf(world.device.device_id)).toHaveLength(0);
  });

  it('signs for a browser with the key it subscribed with, also when the master key has changed since', async () => {
    const env = {
      ...service.env,
      SVC_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
      SVC_MASTER_KEY_PREVIOUS: service.env['SVC_MASTER_KEY'],
    };
    const context = await createContext(parseConfig(env), service.database.target, { clock: service.clock });
    await context.database.learnLayout();
    try {
      await ask();
      await turn(context);
    } finally {
      context.stop();
      await context.close();
    }
    expect(messages()).toEqual([{ kind: 'payment_request', waiting: 1 }]);
  });
});
