import { outcome, succeed, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  decideApproval,
  enterWithLink,
  joinedOperator,
  nextLink,
  setFourEyes,
} from '@payassent/proof/people/operators';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRateLimits } from '../../http/limits/table.ts';

const OPERATORS = '/v1/merchant-operators';

let service: TestService;
beforeAll(async () => {
  const env = { SVC_RATE_LIMITS: 'first_invitations=2/d,invitations=4/d' };
  service = await startService({ env });
});
afterAll(() => service.close());

it('a merchant sends 20 invitations a day until one is accepted, then 100', () => {
  const { first_invitations, invitations } = parseRateLimits('on').limits;
  expect([first_invitations, invitations]).toMatchObject([
    { count: 20, periodS: 86_400 },
    { count: 100, periodS: 86_400 },
  ]);
});

it('a merchant whose invitations no one accepts cannot mail strangers beyond a small number a day', async () => {
  const { session } = await verifiedMerchant(service);
  const invite = async (email = uniqueEmail()) =>
    outcome(await service.call('POST', OPERATORS, { session, body: { email, role: 'viewer' } }));
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  expect(await invite(first)).toBe('201 ok');
  // A second mail to the same person counts.
  expect(await invite(first)).toBe('200 ok');
  expect(await invite(second)).toBe('429 rate_limited');
  expect(service.smtp.mails.filter(({ to }) => to.includes(second))).toEqual([]);

  await enterWithLink(service, await nextLink(service, first));
  expect(await invite(second)).toBe('201 ok');
  // Without a mail it does not count.
  for (let turn = 0; turn < 3; turn += 1) expect(await invite(first)).toBe('200 ok');
  expect(await invite()).toBe('201 ok');
  expect(await invite()).toBe('429 rate_limited');
});

it('an invitation that waits for a second owner counts when it is sent', async () => {
  const { session } = await verifiedMerchant(service);
  const second = await joinedOperator(service, { session }, 'owner');
  const asked: string[] = [];
  await succeed(setFourEyes(service, session, true));
  for (let turn = 0; turn < 5; turn += 1) {
    const body = { email: uniqueEmail(), role: 'viewer' };
    const received = await service.call('POST', OPERATORS, { session, body });
    expect(outcome(received)).toBe('202 ok');
    asked.push(received.body.approval.approval_id);
  }
  // The second owner's own invitation was the first of the four.
  for (const [at, id] of asked.entries())
    expect(outcome(await decideApproval(service, second.session, id, 'approve'))).toBe(
      at < 3 ? '200 ok' : '429 rate_limited',
    );
  const waiting = await succeed(service.call('GET', '/v1/approvals?status=pending', { session }));
  expect(waiting.body.approvals.map(({ approval_id }: Body) => approval_id)).toEqual(
    asked.slice(3).toReversed(),
  );
});
