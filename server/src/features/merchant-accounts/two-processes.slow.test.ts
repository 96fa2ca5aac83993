// Slow: sends a hundred calls at a time to two processes.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import {
  mailedToken,
  outcome,
  signUp,
  succeed,
  tokenIn,
  uniqueDomain,
  uniqueEmail,
  verifiedMerchant,
  verifyEmail,
} from '@payassent/proof/people/merchants';
import type { Received, Sent } from '@payassent/proof/service/client';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort, serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailJob } from './mail-job.ts';

const CALLERS = 100;

let service: TestService;
let other: ServiceProcess;
beforeAll(async () => {
  service = await startService();
  other = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
});
afterAll(async () => {
  await other.end();
  await service.close();
});

/** The same call a hundred times in parallel, half of them to each process. */
async function race(method: string, path: string, sent: (index: number) => Sent): Promise<Received[]> {
  return Promise.all(
    Array.from({ length: CALLERS }, (_, index) =>
      (index % 2 === 0 ? service : other).call(method, path, sent(index)),
    ),
  );
}

function tally(received: readonly Received[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of received) counts[outcome(one)] = (counts[outcome(one)] ?? 0) + 1;
  return counts;
}

describe('a hundred concurrent calls, against two processes', () => {
  it('spend one email link once', async () => {
    const token = await mailedToken(service, uniqueEmail());
    const all = await race('POST', '/v1/merchant-accounts/email-verifications', () => ({ body: { token } }));
    expect(tally(all)).toEqual({ '200 ok': 1, '401 link_invalid': CALLERS - 1 });
  });

  it('spend three links of one address once in all', async () => {
    const email = uniqueEmail();
    const tokens = [
      await mailedToken(service, email),
      await mailedToken(service, email),
      await mailedToken(service, email),
    ];
    const all = await race('POST', '/v1/merchant-accounts/email-verifications', (index) => ({
      body: { token: tokens[index % 3] },
    }));
    expect(tally(all)).toEqual({ '200 ok': 1, '401 link_invalid': CALLERS - 1 });
  });

  it('found one organization with one session grant', async () => {
    const { session_grant } = await verifyEmail(service, uniqueEmail());
    const all = await race('POST', '/v1/merchants', (index) => ({
      body: { session_grant, name: `Racer ${index}` },
    }));
    expect(tally(all)).toEqual({ '201 ok': 1, '401 grant_invalid': CALLERS - 1 });
    expect(await service.db`select from merchants where name like 'Racer %'`).toHaveLength(1);
  });

  it('open one session with one next grant', async () => {
    const { session_grant } = await verifyEmail(service, uniqueEmail());
    const made = await service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Shop' } });
    const { next_grant, merchant } = made.body;
    const all = await race('POST', '/v1/merchant-sessions', () => ({ body: { next_grant } }));
    expect(tally(all)).toEqual({ '201 ok': 1, '401 grant_invalid': CALLERS - 1 });
    const rows = await service.db`select from merchant_sessions where merchant_id = ${merchant.merchant_id}`;
    expect(rows).toHaveLength(1);
  });

  it('either found an organization or enter one with one session grant, never both', async () => {
    const { email } = await signUp(service);
    const { session_grant, merchants } = await verifyEmail(service, email);
    const choice_id = merchants[0]?.choice_id;
    const [founded, entered] = await Promise.all([
      race('POST', '/v1/merchants', () => ({ body: { session_grant, name: 'Either' } })),
      race('POST', '/v1/merchant-sessions', () => ({ body: { session_grant, choice_id } })),
    ]);
    const counts = tally([...founded, ...entered]);
    expect(counts).toEqual({ '201 ok': 1, '401 grant_invalid': 2 * CALLERS - 1 });
  });

  it('change one version of the profile once', async () => {
    const { session } = await verifiedMerchant(service);
    const all = await race('PATCH', '/v1/merchants/current', (index) => ({
      session,
      body: { name: `Name ${index}`, version: 2 },
    }));
    expect(tally(all)).toEqual({ '200 ok': 1, '409 version_conflict': CALLERS - 1 });
    const { body } = await service.call('GET', '/v1/merchants/current', { session });
    expect(body.merchant.version).toBe(3);
  });

  it('prove two domains: both verified, and the organization activated once', async () => {
    const { session, merchantId } = await signUp(service);
    const ids: string[] = [];
    for (const domain of [uniqueDomain(), uniqueDomain()]) {
      const { body } = await succeed(
        service.call('POST', '/v1/merchant-domains', { session, body: { domain } }),
      );
      service.dns.set(body.challenge.dns.name, 'TXT', [body.challenge.dns.value]);
      ids.push(body.domain.domain_id);
    }
    const [first, second] = await Promise.all(
      ids.map((id) => race('POST', `/v1/merchant-domains/${id}/verify`, () => ({ session }))),
    );
    expect(tally([...(first ?? []), ...(second ?? [])])).toEqual({ '200 ok': 2 * CALLERS });
    const [merchant] = await service.db`
      select status, version from merchants where merchant_id = ${merchantId}`;
    expect(merchant).toEqual({ status: 'active', version: 2 });
    const events = await service.db`
      select type, count(*)::int as count from audit_events
      where merchant_id = ${merchantId} and type in ('domain.verified', 'merchant.activated') group by type order by type`;
    expect([...events]).toEqual([
      { type: 'domain.verified', count: 2 },
      { type: 'merchant.activated', count: 1 },
    ]);
  });

  it('register one domain once', async () => {
    const { session } = await signUp(service);
    const domain = uniqueDomain();
    const all = await race('POST', '/v1/merchant-domains', () => ({ session, body: { domain } }));
    expect(tally(all)).toEqual({ '201 ok': 1, '200 ok': CALLERS - 1 });
    const answers = new Set(all.map((one) => JSON.stringify(one.body)));
    expect(answers.size).toBe(1);
  });
});

describe('kill -9', () => {
  it('loses no mail that was promised, not even one that was just being sent', async () => {
    const rescuer = await serviceForTest({ jobs: false });
    // Accepts the connection and never sends a byte.
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const victim = await startProcess({
      ...rescuer.env,
      SVC_PORT: String(await freePort()),
      SVC_SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    const email = uniqueEmail();
    await succeed(victim.call('POST', '/v1/merchant-accounts/registrations', { body: { email } }));
    await connected;
    await victim.end('SIGKILL');
    silent.close();
    expect(await mailJob.run(rescuer.context)).toBe(false);
    expect(rescuer.smtp.mails).toHaveLength(0);
    // The lease of the killed process expires.
    rescuer.clock.advance(10_000);
    await mailJob.run(rescuer.context);
    const token = tokenIn((await rescuer.smtp.waitForMail(email)).text);
    const path = '/v1/merchant-accounts/email-verifications';
    expect(outcome(await rescuer.call('POST', path, { body: { token } }))).toBe('200 ok');
  });
});
