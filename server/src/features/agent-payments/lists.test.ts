import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  pay,
  report,
} from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import { followPages, serviceAhead } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

/** Newest first: five payments that expire in a minute, and between them one that expires in an hour. */
async function fiveShortAndOneLong(user: Autonomy): Promise<{ short: string[]; long: string }> {
  await activePolicy(service, user);
  const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
  const made: string[] = [];
  for (const overrides of [
    { expires_at },
    { expires_at },
    {},
    { expires_at },
    { expires_at },
    { expires_at },
  ])
    made.unshift((await succeed(pay(service, user, '1', overrides))).body.data.id);
  const [long = ''] = made.splice(3, 1);
  return { short: made, long };
}

describe('a list by status', () => {
  it('never shows an intent past its time as open, however short the page', async () => {
    const user = await anotherUser(service, world);
    const { long } = await fiveShortAndOneLong(user);
    const { call } = await serviceAhead(service, 61_000);
    const query = { status: 'intent_created', limit: 1 };
    const first = await succeed(call('GET', '/v1/agent-payments', { device: deviceOf(user.device), query }));
    expect(first.body.data).toMatchObject({
      items: [{ id: long, status: 'intent_created' }],
      next_cursor: null,
    });
  });

  it.each([1, 2, 50])('shows every intent past its time as expired, in pages of %i', async (limit) => {
    const user = await anotherUser(service, world);
    const { short } = await fiveShortAndOneLong(user);
    const { call } = await serviceAhead(service, 61_000);
    const query = { status: 'expired', connection_id: user.connectionId, limit };
    for (const sent of [{ device: deviceOf(user.device) }, { apiKey: user.apiKey }, { bearer: user.admin }]) {
      const shown = await followPages(call, '/v1/agent-payments', { ...sent, query });
      expect(shown.map(({ id, status }) => [id, status])).toEqual(short.map((id) => [id, 'expired']));
    }
    const stored = await service.db<{ status: string }[]>`
      select distinct status from agent_payments where agent_payment_id = any(${short}::text[])`;
    expect(stored).toEqual([{ status: 'expired' }]);
  });
});

describe('a wallet with two merchants', () => {
  it('has payments and policies of both in one list, newest first, and each by its id', async () => {
    const mine = await anotherUser(service, world);
    const other = await autonomy(service);
    const { device } = mine;
    const theirs = { ...other, device, ...(await connect(service, other.agent, device)) };
    const made: Record<string, string[]> = { 'agent-payments': [], 'automation-policies': [] };
    for (const user of [mine, theirs])
      made['automation-policies']?.unshift((await activePolicy(service, user)).id);
    for (const user of [mine, theirs, mine, theirs])
      made['agent-payments']?.unshift((await succeed(pay(service, user, '1'))).body.data.id);
    const wallet = { device: deviceOf(device) };
    for (const [name, ids] of Object.entries(made)) {
      const found: string[] = [];
      let cursor: string | null | undefined;
      do {
        const query = { limit: 1, ...(cursor ? { cursor } : {}) };
        const { data } = (await succeed(service.call('GET', `/v1/${name}`, { ...wallet, query }))).body;
        found.push(...data.items.map((item: { id: string }) => item.id));
        cursor = data.next_cursor;
      } while (cursor);
      expect(found).toEqual(ids);
      for (const id of ids)
        expect((await succeed(service.call('GET', `/v1/${name}/${id}`, wallet))).body.data.id).toBe(id);
    }
    for (const id of made['agent-payments'] ?? []) await succeed(report(service, theirs, id, 'rejected'));
  });
});
