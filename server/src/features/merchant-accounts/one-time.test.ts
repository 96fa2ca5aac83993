import { randomBytes } from 'node:crypto';
import {
  mailedToken,
  outcome,
  signUp,
  succeed,
  uniqueEmail,
  verifyEmail,
} from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import { newToken } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const post = (path: string, body: Record<string, unknown>) => service.call('POST', path, { body });
const exchange = (token: unknown) => post('/v1/merchant-accounts/email-verifications', { token });
const found = (body: Record<string, unknown>) => post('/v1/merchants', { name: 'Shop', ...body });
const open = (body: Record<string, unknown>) => post('/v1/merchant-sessions', body);

describe('an email link', () => {
  it('works once, and using one ends the others', async () => {
    const email = uniqueEmail();
    const first = await mailedToken(service, email);
    const second = await mailedToken(service, email);
    const foreign = await mailedToken(service, uniqueEmail());
    expect(outcome(await exchange(second))).toBe('200 ok');
    expect(outcome(await exchange(second))).toBe('401 link_invalid');
    expect(outcome(await exchange(first))).toBe('401 link_invalid');
    expect(outcome(await exchange(foreign))).toBe('200 ok');
  });

  it('is 401 when present but wrong, 400 when it is missing or no string', async () => {
    const unknown = newToken('email_link', (count) => randomBytes(count));
    const grant = (await verifyEmail(service, uniqueEmail())).session_grant;
    for (const token of ['', 'x', unknown, withTypo(unknown), grant, 'y'.repeat(5000)])
      expect(outcome(await exchange(token))).toBe('401 link_invalid');
    for (const token of [undefined, null, 7, ['a'], {}])
      expect(outcome(await exchange(token))).toBe('400 validation_failed');
  });

  it('is not consumed by anything but its exchange', async () => {
    const token = await mailedToken(service, uniqueEmail());
    await post('/v1/merchant-accounts/email-verifications', { token, more: 1 });
    await service.call('GET', `/portal/verify#token=${token}`);
    await service.call('GET', '/v1/merchant-accounts/email-verifications', { query: { token } });
    expect(outcome(await exchange(token))).toBe('200 ok');
  });
});

describe('a session grant', () => {
  it('is spent once, by an organization or by a session', async () => {
    const { email } = await signUp(service);
    const first = await verifyEmail(service, email);
    const choice_id = first.merchants[0]?.choice_id;
    expect(outcome(await open({ session_grant: first.session_grant, choice_id }))).toBe('201 ok');
    expect(outcome(await open({ session_grant: first.session_grant, choice_id }))).toBe('401 grant_invalid');
    expect(outcome(await found({ session_grant: first.session_grant }))).toBe('401 grant_invalid');
    const second = await verifyEmail(service, email);
    expect(outcome(await found({ session_grant: second.session_grant }))).toBe('201 ok');
    expect(outcome(await found({ session_grant: second.session_grant }))).toBe('401 grant_invalid');
  });

  it('survives every refused use', async () => {
    const { email } = await signUp(service);
    const foreign = await signUp(service);
    const { session_grant, merchants } = await verifyEmail(service, email);
    const other = await verifyEmail(service, foreign.email);
    const refused = [
      [await found({ session_grant, name: '   ' }), '400 validation_failed'],
      [await found({ session_grant, name: 'a\u202Eb' }), '422 risk_rejected'],
      [await found({ session_grant, merchant_id: 'mer_x' }), '400 validation_failed'],
      [await open({ next_grant: session_grant }), '401 grant_invalid'],
      [await open({ session_grant, choice_id: 'choice_unknown' }), '401 grant_invalid'],
      [await open({ session_grant, choice_id: 'constructor' }), '401 grant_invalid'],
      [await open({ session_grant, choice_id: other.merchants[0]?.choice_id }), '401 grant_invalid'],
      [await open({ session_grant, choice_id: foreign.merchantId }), '401 grant_invalid'],
      [await open({ session_grant }), '400 validation_failed'],
      [await open({ session_grant, next_grant: session_grant, choice_id: 'x' }), '400 validation_failed'],
    ] as const;
    expect(refused.map(([received]) => outcome(received))).toEqual(refused.map(([, wanted]) => wanted));
    expect(outcome(await open({ session_grant, choice_id: merchants[0]?.choice_id }))).toBe('201 ok');
  });
});

describe('a next grant', () => {
  it('opens one session, and is no session grant', async () => {
    const { session_grant } = await verifyEmail(service, uniqueEmail());
    const { next_grant } = (await succeed(found({ session_grant }))).body;
    expect(outcome(await found({ session_grant: next_grant }))).toBe('401 grant_invalid');
    expect(outcome(await open({ session_grant: next_grant, choice_id: 'x' }))).toBe('401 grant_invalid');
    expect(outcome(await open({ next_grant }))).toBe('201 ok');
    expect(outcome(await open({ next_grant }))).toBe('401 grant_invalid');
  });

  it.each([
    [{}, 'next_grant'],
    [{ session_grant: 'x' }, 'choice_id'],
    [{ choice_id: 'x' }, 'session_grant'],
  ])('%j is 400 and names what is missing', async (body, field) => {
    const received = await open(body);
    expect(received.status).toBe(400);
    expect(received.body.error.issues).toMatchObject([{ field, code: 'required' }]);
  });
});
