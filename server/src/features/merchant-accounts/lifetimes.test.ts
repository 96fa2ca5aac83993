import {
  mailedToken,
  outcome,
  signUp,
  succeed,
  type TestSession,
  uniqueDomain,
  uniqueEmail,
  verifyEmail,
} from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Lifetime {
  name: string;
  lifeMs: number;
  /** Makes the thing at the frozen time, and returns a function that uses it once. */
  make(): Promise<() => Promise<string>>;
  refusal: string;
}

const LIFETIMES: readonly Lifetime[] = [
  {
    name: 'an email link lives 15 minutes',
    lifeMs: 15 * MINUTE,
    async make() {
      const token = await mailedToken(service, uniqueEmail());
      return async () =>
        outcome(await service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token } }));
    },
    refusal: '401 link_invalid',
  },
  {
    name: 'a session grant lives 10 minutes',
    lifeMs: 10 * MINUTE,
    async make() {
      const { session_grant } = await verifyEmail(service, uniqueEmail());
      return async () =>
        outcome(await service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Shop' } }));
    },
    refusal: '401 grant_invalid',
  },
  {
    name: 'a session grant with a choice lives 10 minutes',
    lifeMs: 10 * MINUTE,
    async make() {
      const { email } = await signUp(service);
      const { session_grant, merchants } = await verifyEmail(service, email);
      const body = { session_grant, choice_id: merchants[0]?.choice_id };
      return async () => outcome(await service.call('POST', '/v1/merchant-sessions', { body }));
    },
    refusal: '401 grant_invalid',
  },
  {
    name: 'a next grant lives 10 minutes',
    lifeMs: 10 * MINUTE,
    async make() {
      const { session_grant } = await verifyEmail(service, uniqueEmail());
      const made = await service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Shop' } });
      const { next_grant } = made.body;
      return async () =>
        outcome(await service.call('POST', '/v1/merchant-sessions', { body: { next_grant } }));
    },
    refusal: '401 grant_invalid',
  },
  {
    name: 'a session lives 30 minutes without use',
    lifeMs: 30 * MINUTE,
    async make() {
      const { session } = await signUp(service);
      return async () => outcome(await service.call('GET', '/v1/merchants/current', { session }));
    },
    refusal: '401 token_expired',
  },
  {
    name: 'a domain challenge lives 7 days',
    lifeMs: 7 * DAY,
    async make() {
      const account = await signUp(service);
      const registered = await succeed(
        service.call('POST', '/v1/merchant-domains', {
          session: account.session,
          body: { domain: uniqueDomain() },
        }),
      );
      const { domain, challenge } = registered.body;
      service.dns.set(challenge.dns.name, 'TXT', [challenge.dns.value]);
      return async () => {
        await keepSignedIn(account.merchantId);
        const { session } = account;
        return outcome(
          await service.call('POST', `/v1/merchant-domains/${domain.domain_id}/verify`, { session }),
        );
      };
    },
    refusal: '409 domain_proof_failed',
  },
];

/** Seven days are longer than any session; this test is about the challenge alone. */
async function keepSignedIn(merchantId: string): Promise<void> {
  const now = service.clock.now();
  await service.db`
    update merchant_sessions set last_seen_at = ${now}, expires_at = ${new Date(now.getTime() + HOUR)}
    where merchant_id = ${merchantId}`;
}

describe('to the second', () => {
  const cases = LIFETIMES.flatMap((lifetime) => [
    { ...lifetime, ageMs: lifetime.lifeMs - SECOND, works: true, when: 'a second before' },
    { ...lifetime, ageMs: lifetime.lifeMs, works: true, when: 'at the very end' },
    { ...lifetime, ageMs: lifetime.lifeMs + SECOND, works: false, when: 'a second after' },
  ]);

  it.each(cases)('$name: $when', async ({ make, ageMs, works, refusal }) => {
    service.clock.freeze();
    try {
      const use = await make();
      service.clock.advance(ageMs);
      const result = await use();
      if (works) expect(result).toMatch(/^20[01] ok$/);
      else expect(result).toBe(refusal);
    } finally {
      service.clock.release();
    }
  });
});

describe('a session in use', () => {
  const read = (session: TestSession) => service.call('GET', '/v1/merchants/current', { session });

  it('continues beyond 30 minutes, and ends 12 hours after it began', async () => {
    service.clock.freeze();
    const { session } = await signUp(service);
    for (let half = 1; half < 24; half += 1) {
      service.clock.advance(30 * MINUTE);
      expect(outcome(await read(session))).toBe('200 ok');
    }
    service.clock.advance(30 * MINUTE);
    expect(outcome(await read(session))).toBe('200 ok');
    service.clock.advance(SECOND);
    expect(outcome(await read(session))).toBe('401 token_expired');
    service.clock.release();
  });

  it('counts every use, also one a moment after another', async () => {
    service.clock.freeze();
    const { session } = await signUp(service);
    service.clock.advance(10 * MINUTE);
    await read(session);
    service.clock.advance(249);
    await read(session);
    service.clock.advance(30 * MINUTE);
    expect(outcome(await read(session))).toBe('200 ok');
    service.clock.advance(30 * MINUTE + SECOND);
    expect(outcome(await read(session))).toBe('401 token_expired');
    service.clock.release();
  });

  it('is deleted a day after its end, together with links and grants', async () => {
    const { session } = await signUp(service);
    service.clock.advance(3 * DAY);
    const { accountRetention } = await import('./index.ts');
    const tables = ['email_links', 'session_grants', 'merchant_sessions'];
    for (const rule of accountRetention.filter(({ name }) => tables.includes(name))) {
      expect(await rule.purge(service.db, service.clock.now(), 1)).toBe(1);
      await rule.purge(service.db, service.clock.now(), 10_000);
    }
    for (const table of tables) expect(await service.db`select from ${service.db(table)}`).toHaveLength(0);
    expect(outcome(await read(session))).toBe('401 unauthenticated');
  });
});
