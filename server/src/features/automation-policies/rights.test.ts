import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
  pay,
  paymentBody,
  policyBody,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Body, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
let stranger: Autonomy;
beforeAll(async () => {
  service = await startService();
  [world, stranger] = await Promise.all([autonomy(service), autonomy(service)]);
});
afterAll(() => service.close());

type Who = 'K' | 'S' | 'M' | 'W' | 'nobody' | 'foreign K' | 'foreign S' | 'foreign W' | 'other agent';

/** Every caller, with a body where the call has one. */
async function callers(user: Autonomy): Promise<Record<Who, Sent>> {
  const otherDevice = await enrolDevice(service);
  const colleague = await autonomy(service, user.merchant);
  return {
    K: { apiKey: user.apiKey },
    S: { bearer: user.admin },
    M: { session: user.merchant.session },
    W: { device: deviceOf(user.device) },
    nobody: {},
    'foreign K': { apiKey: stranger.apiKey },
    'foreign S': { bearer: stranger.admin },
    'foreign W': { device: deviceOf(otherDevice) },
    'other agent': { apiKey: colleague.apiKey },
  };
}

const WRONG_KIND = '401 unauthenticated';
const ABSENT = '404 resource_not_found';
const NOBODY = { nobody: WRONG_KIND } as const;
const STRANGERS = {
  'foreign K': ABSENT,
  'foreign S': ABSENT,
  'foreign W': ABSENT,
  'other agent': ABSENT,
} as const;
const KEYS_OUT = { K: WRONG_KIND, 'foreign K': WRONG_KIND, 'other agent': WRONG_KIND } as const;

describe('who may do what', () => {
  it('the matrix', async () => {
    const everyone = await callers(world);
    const table: {
      call: string;
      method: string;
      /** Made again after each success, so that one caller's success does not block another. */
      target: (user: Autonomy) => Promise<{ path: string; body?: unknown }>;
      expected: Partial<Record<Who, string>>;
    }[] = [
      {
        call: 'read a policy',
        method: 'GET',
        target: async (user) => ({
          path: `/v1/automation-policies/${(await draftPolicy(service, user)).id}`,
        }),
        expected: { K: '200 ok', S: '200 ok', M: '200 ok', W: '200 ok', ...NOBODY, ...STRANGERS },
      },
      {
        call: 'draft',
        method: 'POST',
        target: async (user) => ({ path: '/v1/automation-policies', body: policyBody(user) }),
        expected: { K: '201 ok', S: '201 ok', M: '201 ok', W: '201 ok', ...NOBODY, ...STRANGERS },
      },
      {
        call: 'change',
        method: 'PATCH',
        target: async (user) => ({
          path: `/v1/automation-policies/${(await draftPolicy(service, user)).id}`,
          body: { version: 1, cumulative_limit: '1000' },
        }),
        expected: { S: '200 ok', M: '200 ok', W: '200 ok', ...NOBODY, ...STRANGERS, ...KEYS_OUT },
      },
      {
        call: 'opt in',
        method: 'POST',
        target: async (user) => ({
          path: `/v1/automation-policies/${(await draftPolicy(service, user)).id}/opt-in`,
          body: { version: 1 },
        }),
        expected: {
          S: WRONG_KIND,
          M: WRONG_KIND,
          W: '200 ok',
          ...NOBODY,
          ...STRANGERS,
          ...KEYS_OUT,
          'foreign S': WRONG_KIND,
        },
      },
      {
        call: 'resume',
        method: 'POST',
        target: async (user) => {
          const { id } = await onlyActive(user);
          const path = `/v1/automation-policies/${id}`;
          const { data } = (await succeed(service.call('POST', `${path}/pause`, { bearer: user.admin })))
            .body;
          return { path: `${path}/resume`, body: { version: data.version } };
        },
        expected: {
          S: WRONG_KIND,
          M: WRONG_KIND,
          W: '200 ok',
          ...NOBODY,
          ...STRANGERS,
          ...KEYS_OUT,
          'foreign S': WRONG_KIND,
        },
      },
      {
        call: 'pause',
        method: 'POST',
        target: async (user) => ({
          path: `/v1/automation-policies/${(await onlyActive(user)).id}/pause`,
        }),
        expected: { S: '200 ok', M: '200 ok', W: '200 ok', ...NOBODY, ...STRANGERS, ...KEYS_OUT },
      },
      {
        call: 'revoke',
        method: 'DELETE',
        target: async (user) => ({
          path: `/v1/automation-policies/${(await draftPolicy(service, user)).id}`,
        }),
        expected: { S: '200 ok', M: '200 ok', W: '200 ok', ...NOBODY, ...STRANGERS, ...KEYS_OUT },
      },
      {
        call: 'evaluate',
        method: 'POST',
        target: async (user) => ({
          path: `/v1/automation-policies/${(await draftPolicy(service, user)).id}/evaluate`,
          body: { amount: '1', recipient_id: user.payee.recipientId },
        }),
        expected: {
          K: '200 ok',
          S: WRONG_KIND,
          M: WRONG_KIND,
          W: WRONG_KIND,
          ...NOBODY,
          ...STRANGERS,
          'foreign S': WRONG_KIND,
          'foreign W': WRONG_KIND,
        },
      },
      {
        call: 'pay as a human',
        method: 'POST',
        target: async (user) => ({
          path: '/v1/agent-payments',
          body: paymentBody(user, '1', { initiated_by: 'human', idempotency_key: crypto.randomUUID() }),
        }),
        expected: {
          K: '403 human_credential_required',
          S: '201 ok',
          M: '201 ok',
          W: '201 ok',
          ...NOBODY,
          ...STRANGERS,
          'foreign K': '403 human_credential_required',
          'other agent': '403 human_credential_required',
        },
      },
      {
        call: 'pay as an agent',
        method: 'POST',
        target: async (user) => {
          await onlyActive(user);
          const extra = { initiated_by: 'agent', idempotency_key: crypto.randomUUID() };
          return { path: '/v1/agent-payments', body: paymentBody(user, '1', extra) };
        },
        expected: {
          K: '201 ok',
          S: WRONG_KIND,
          M: WRONG_KIND,
          W: WRONG_KIND,
          ...NOBODY,
          ...STRANGERS,
          'foreign S': WRONG_KIND,
          'foreign W': WRONG_KIND,
        },
      },
      {
        call: 'read a payment',
        method: 'GET',
        target: async (user) => ({ path: `/v1/agent-payments/${await humanPayment(user)}` }),
        expected: { K: '200 ok', S: '200 ok', M: '200 ok', W: '200 ok', ...NOBODY, ...STRANGERS },
      },
      {
        call: 'cancel',
        method: 'POST',
        target: async (user) => ({ path: `/v1/agent-payments/${await humanPayment(user)}/cancel` }),
        expected: {
          K: '200 ok',
          S: '200 ok',
          M: '200 ok',
          W: WRONG_KIND,
          ...NOBODY,
          ...STRANGERS,
          'foreign W': WRONG_KIND,
        },
      },
      {
        call: 'report',
        method: 'POST',
        target: async (user) => ({
          path: `/v1/agent-payments/${await humanPayment(user)}/status`,
          body: { status: 'signed' },
        }),
        expected: {
          S: WRONG_KIND,
          M: WRONG_KIND,
          W: '200 ok',
          ...NOBODY,
          ...STRANGERS,
          ...KEYS_OUT,
          'foreign S': WRONG_KIND,
        },
      },
    ];
    const found: Record<string, Record<string, string>> = {};
    for (const { call, method, target, expected } of table) {
      const user = await anotherUser(service, world);
      const credentials = { ...everyone, W: { device: deviceOf(user.device) } };
      found[call] = {};
      let aim = await target(user);
      for (const [who, credential] of Object.entries(credentials)) {
        const sent = { ...credential, ...(aim.body === undefined ? {} : { body: aim.body }) };
        const result = outcome(await service.call(method, aim.path, sent));
        found[call][who] = result;
        // A rejected caller must leave the target unchanged; otherwise the next caller's result shows it.
        if (result.endsWith('ok') && expected[who as Who]?.endsWith('ok')) aim = await target(user);
      }
    }
    expect(found).toEqual(Object.fromEntries(table.map(({ call, expected }) => [call, expected])));
  });
});

/** A new active policy in place of the one before. */
async function onlyActive(user: Autonomy): Promise<Body> {
  const device = deviceOf(user.device);
  const query = { status: 'active' };
  const list = await succeed(service.call('GET', '/v1/automation-policies', { device, query }));
  for (const { id } of list.body.data.items)
    await succeed(service.call('DELETE', `/v1/automation-policies/${id}`, { device }));
  return activePolicy(service, user);
}

async function humanPayment(user: Autonomy): Promise<string> {
  const made = await succeed(pay(service, user, '1', { initiated_by: 'human' }, { bearer: user.admin }));
  return made.body.data.id;
}

describe('the same 404 for absent and foreign', () => {
  it('byte for byte except request_id and timestamp', async () => {
    const paymentId = await humanPayment(world);
    const { id: policyId } = await draftPolicy(service, world);
    const absentPayment = `ap_${paymentId.slice(3, 28)}0`;
    const absentPolicy = `pol_${policyId.slice(4, 29)}0`;
    const pairs = [
      [`/v1/agent-payments/${paymentId}`, `/v1/agent-payments/${absentPayment}`],
      [`/v1/automation-policies/${policyId}`, `/v1/automation-policies/${absentPolicy}`],
      [`/v1/automation-policies/${policyId}`, '/v1/automation-policies/nonsense'],
    ] as const;
    for (const credential of [{ apiKey: stranger.apiKey }, { device: deviceOf(stranger.device) }]) {
      for (const [foreign, absent] of pairs) {
        const bodies = await Promise.all(
          [foreign, absent].map(async (path) => {
            const { status, body } = await service.call('GET', path, credential);
            return { status, ...body, request_id: '', timestamp: '' };
          }),
        );
        expect(bodies[0]).toEqual(bodies[1]);
        expect(bodies[0]?.status).toBe(404);
      }
    }
  });

  it('a policy or Recipient of another party cannot be named', async () => {
    const { id } = await draftPolicy(service, stranger);
    expect(outcome(await pay(service, world, '1', { policy_id: id }))).toBe(ABSENT);
    const user = await anotherUser(service, world);
    const other = await draftPolicy(service, user);
    expect(outcome(await pay(service, world, '1', { policy_id: other.id }))).toBe(ABSENT);
    const allowlist = [{ recipient_id: stranger.payee.recipientId }];
    const body = policyBody(world, { allowlist });
    expect(
      outcome(await service.call('POST', '/v1/automation-policies', { apiKey: world.apiKey, body })),
    ).toBe(ABSENT);
  });

  it('lists hold what the caller may see and nothing else', async () => {
    const user = await anotherUser(service, world);
    const mine = await humanPayment(user);
    const ids = async (sent: Sent) =>
      (await succeed(service.call('GET', '/v1/agent-payments', sent))).body.data.items.map(
        (item: { id: string }) => item.id,
      );
    expect(await ids({ device: deviceOf(user.device) })).toEqual([mine]);
    for (const sent of [
      { apiKey: world.apiKey },
      { bearer: world.admin },
      { session: world.merchant.session },
    ])
      expect(await ids(sent)).toContain(mine);
    expect(await ids({ apiKey: stranger.apiKey })).toEqual([]);
    expect(await ids({ bearer: world.admin, query: { connection_id: user.connectionId } })).toEqual([mine]);
    expect(await ids({ bearer: stranger.admin, query: { connection_id: user.connectionId } })).toEqual([]);
  });

  it('pages follow each other', async () => {
    const user = await anotherUser(service, world);
    const made = [];
    for (let round = 0; round < 5; round += 1) made.unshift((await draftPolicy(service, user)).id);
    const device = deviceOf(user.device);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { limit: 2, ...(cursor ? { cursor } : {}) };
      const { data } = (await succeed(service.call('GET', '/v1/automation-policies', { device, query })))
        .body;
      seen.push(...data.items.map((item: { id: string }) => item.id));
      cursor = data.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made);
  });
});

describe('a key next to a human credential', () => {
  const human = { initiated_by: 'human' };

  it('must be valid and of the same merchant', async () => {
    const path = `/v1/agent-payments/${await humanPayment(world)}`;
    const device = deviceOf(world.device);
    const forged = withTypo(world.apiKey);
    for (const credential of [{ bearer: world.admin }, { session: world.merchant.session }, { device }]) {
      expect((await service.call('GET', path, { ...credential, apiKey: world.apiKey })).status).toBe(200);
      const foreign = await service.call('GET', path, { ...credential, apiKey: stranger.apiKey });
      expect(outcome(foreign)).toBe(WRONG_KIND);
      expect(outcome(await service.call('GET', path, { ...credential, apiKey: forged }))).toBe(WRONG_KIND);
    }
    const sent = { device, apiKey: stranger.apiKey };
    expect(outcome(await pay(service, world, '1', human, sent))).toBe(WRONG_KIND);
    const { id, version } = await draftPolicy(service, world);
    const optIn = { ...sent, body: { version } };
    expect(outcome(await service.call('POST', `/v1/automation-policies/${id}/opt-in`, optIn))).toBe(
      WRONG_KIND,
    );
    const list = await succeed(service.call('GET', '/v1/agent-payments', sent));
    expect(list.body.data.items).toEqual([]);
  });

  it('leaves the decision to the human credential', async () => {
    const sent = { device: deviceOf(world.device), apiKey: world.apiKey };
    expect((await pay(service, world, '1', {}, sent)).body.data.initiated_by).toBe('human');
    const user = await anotherUser(service, world);
    await activePolicy(service, user);
    const both = { bearer: user.admin, apiKey: user.apiKey };
    const asAgent = await pay(service, user, '1', { initiated_by: 'agent' }, both);
    expect(asAgent.body.data).toMatchObject({ initiated_by: 'agent' });
    expect(asAgent.body.data.policy_id).not.toBeNull();
    const over = await pay(service, user, '11', { initiated_by: 'agent' }, both);
    expect(outcome(over)).toBe('403 HC_NC_5_HITL_REQUIRED');
  });
});
