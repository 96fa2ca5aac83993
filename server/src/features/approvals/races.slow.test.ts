// Slow: repeats each race many times.
import { waitingForLocks } from '@payassent/proof/database/many';
import { outcome, signIn, succeed, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  decideApproval,
  invitedThird,
  joinedOperator,
  OPERATORS,
  recipientStatus,
  twoOwners,
} from '@payassent/proof/people/operators';
import { activationOf, verifiedVersion } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const HOUR = 3_600_000;

describe('at the same moment', () => {
  it('two approvals, or an approval and a rejection: one of them counts', async () => {
    for (const decisions of [
      ['approve', 'approve'],
      ['approve', 'reject'],
    ] as const) {
      const { first, second } = await twoOwners(service);
      const { session: third } = await invitedThird(service, { first, second }, 'owner');
      const version = await verifiedVersion(service, first);
      const { approval_id: id } = (await succeed(activationOf(service, first.session, version))).body
        .approval;
      const received = await Promise.all([
        decideApproval(service, second.session, id, decisions[0]),
        decideApproval(service, third, id, decisions[1]),
      ]);
      expect(received.filter(({ status }) => status === 200)).toHaveLength(1);
      const counted = received.findIndex(({ status }) => status === 200);
      const expected = decisions[counted] === 'approve' ? 'active' : 'draft';
      expect(await recipientStatus(service, first.session, version.recipientId)).toBe(expected);
    }
  });

  it('an approval while its time runs out: carried out whole, or not at all', async () => {
    service.clock.freeze();
    onTestFinished(() => service.clock.release());
    const outcomes = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const { first, second } = await twoOwners(service);
      const email = uniqueEmail();
      const body = { email, role: 'viewer' };
      const asked = await succeed(service.call('POST', OPERATORS, { session: first.session, body }));
      const { approval_id: id, expires_at } = asked.body.approval;
      service.clock.advance(24 * HOUR - 60_000);
      const session = await signIn(service, second.email);
      service.clock.set(new Date(expires_at));
      const deciding = decideApproval(service, session, id, 'approve');
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      service.clock.advance(1);
      const received = await deciding;
      const { operators } = (await succeed(service.call('GET', OPERATORS, { session }))).body;
      const isThere = operators.some((one: { email: string }) => one.email === email);
      const { approvals } = (await succeed(service.call('GET', '/v1/approvals', { session }))).body;
      outcomes.add(`${outcome(received)} ${isThere} ${approvals[0].status}`);
    }
    const whole = ['200 ok true approved', '409 invalid_status_transition false expired'];
    expect([...outcomes].filter((one) => !whole.includes(one))).toEqual([]);
  });

  it('two owners are required while one activates alone: it is done before, or not at all', async () => {
    const first = await verifiedMerchant(service);
    await joinedOperator(service, first, 'owner');
    const version = await verifiedVersion(service, first);
    let activated: ReturnType<typeof activationOf> | undefined;
    await service.db.begin(async (tx) => {
      await tx`select from recipients where recipient_id = ${version.recipientId} for update`;
      activated = activationOf(service, first.session, version);
      await expect.poll(() => waitingForLocks(service.db)).toBeGreaterThan(0);
      await tx`update merchants set four_eyes = true where merchant_id = ${first.merchantId}`;
    });
    expect(activated && outcome(await activated)).toBe('403 second_person_required');
    expect(await recipientStatus(service, first.session, version.recipientId)).toBe('draft');
  });
});
