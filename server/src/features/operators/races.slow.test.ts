// Slow: repeats each race many times.
import { waitingForLocks } from '@payassent/proof/database/many';
import { outcome, verifiedMerchant } from '@payassent/proof/people/merchants';
import { joinedOperator, operatorIdOf } from '@payassent/proof/people/operators';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const ROUNDS = 8;
const OPERATORS = '/v1/merchant-operators';

async function twoOwners() {
  const first = await verifiedMerchant(service);
  const second = await joinedOperator(service, first, 'owner');
  return { first, firstId: await operatorIdOf(service, first.session), second };
}

async function ownersOf(merchantId: string): Promise<number> {
  const [row] = await service.db<[{ count: number }]>`
    select count(*)::int as count from merchant_operators
    where merchant_id = ${merchantId} and role = 'owner' and joined_at is not null`;
  return row.count;
}

describe('at the same moment', () => {
  it('two owners who remove or lower each other: one succeeds, and one owner is left', async () => {
    const results = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { first, firstId, second } = await twoOwners();
      const act = (session: typeof first.session, id: string) =>
        round % 2 === 0
          ? service.call('DELETE', `${OPERATORS}/${id}`, { session })
          : service.call('PATCH', `${OPERATORS}/${id}`, { session, body: { role: 'viewer' } });
      const received = await Promise.all([
        act(first.session, second.operatorId),
        act(second.session, firstId),
      ]);
      expect(received.filter(({ status }) => status === 200).length).toBe(1);
      expect(await ownersOf(first.merchantId)).toBe(1);
      for (const one of received) results.add(outcome(one));
    }
    const allowed = ['200 ok', '401 token_revoked', '403 insufficient_role', '409 last_owner'];
    expect([...results].filter((one) => !allowed.includes(one))).toEqual([]);
  });

  it('both owners leave: one stays', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { first, firstId, second } = await twoOwners();
      const received = await Promise.all([
        service.call('DELETE', `${OPERATORS}/${firstId}`, { session: first.session }),
        service.call('DELETE', `${OPERATORS}/${second.operatorId}`, { session: second.session }),
      ]);
      expect(received.map(outcome).sort()).toEqual(['200 ok', '409 last_owner']);
      expect(await ownersOf(first.merchantId)).toBe(1);
    }
  });

  it('the database itself refuses to take the last owner away', async () => {
    const { merchantId } = await verifiedMerchant(service);
    const work = service.db`delete from merchant_operators where merchant_id = ${merchantId}`;
    await expect(work).rejects.toThrow('the last owner of an organization stays');
  });

  it('an owner who is lowered while acting has acted before, or not at all', async () => {
    const { first, second } = await twoOwners();
    // The call has passed its check of the role and waits for a row that the test has locked.
    const { session } = second;
    let rename: Promise<{ status: number; body: { error?: { code: string } } }> | undefined;
    await service.db.begin(async (tx) => {
      await tx`select from merchants where merchant_id = ${first.merchantId} for update`;
      const body = { name: 'Renamed', version: 2 };
      rename = service.call('PATCH', '/v1/merchants/current', { session, body });
      await expect.poll(() => waitingForLocks(service.db)).toBeGreaterThan(0);
      await tx`
        update merchant_operators set role = 'viewer'
        where merchant_id = ${first.merchantId} and account_id = ${second.operatorId}`;
    });
    const received = await rename;
    expect(`${received?.status} ${received?.body.error?.code}`).toBe('403 insufficient_role');
    const current = await service.call('GET', '/v1/merchants/current', { session: first.session });
    expect(current.body.merchant.name).toBe(first.name);
  });
});
