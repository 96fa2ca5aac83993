import { scanForSecrets } from '@payassent/proof/database/secret-scan';
import {
  mailedToken,
  proveDomain,
  sessionOf,
  signIn,
  signUp,
  succeed,
  uniqueDomain,
  uniqueEmail,
  verifiedMerchant,
  verifyEmail,
} from '@payassent/proof/people/merchants';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../lib/keys.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the whole way', () => {
  it('leads from an email address to an active organization, with a restart between any two steps', async () => {
    const email = uniqueEmail();
    const domain = uniqueDomain();
    const token = await mailedToken(service, email);
    await service.restart();
    const verified = await succeed(
      service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token } }),
    );
    expect(verified.status).toBe(200);
    expect(verified.body.merchants).toEqual([]);
    expect(verified.body.session_grant).toMatch(/^svc_gr_/);
    await service.restart();
    const made = await succeed(
      service.call('POST', '/v1/merchants', {
        body: { session_grant: verified.body.session_grant, name: 'Käse & Söhne' },
      }),
    );
    expect(made.status).toBe(201);
    expect(made.body.merchant).toMatchObject({ name: 'Käse & Söhne', status: 'pending', version: 1 });
    await service.restart();
    const opened = await succeed(
      service.call('POST', '/v1/merchant-sessions', { body: { next_grant: made.body.next_grant } }),
    );
    expect(opened.status).toBe(201);
    const session = sessionOf(opened);
    await service.restart();
    const registered = await succeed(
      service.call('POST', '/v1/merchant-domains', { session, body: { domain } }),
    );
    expect(registered.status).toBe(201);
    const { dns } = registered.body.challenge;
    service.dns.set(dns.name, 'TXT', ['something else', dns.value]);
    await service.restart();
    const proved = await succeed(
      service.call('POST', `/v1/merchant-domains/${registered.body.domain.domain_id}/verify`, { session }),
    );
    expect(proved.body.domain).toMatchObject({ domain, method: 'dns', status: 'verified' });
    expect(proved.body.merchant).toMatchObject({ status: 'active', version: 2 });
    await service.restart();
    const current = await service.call('GET', '/v1/merchant-sessions/current', { session });
    expect(current.body.merchant).toEqual(proved.body.merchant);
    expect(current.body.csrf_token).toBe(session.csrf);
  });

  it('writes each step into the audit trail, in order', async () => {
    const merchant = await verifiedMerchant(service);
    const { body } = await service.call('GET', '/v1/audit-events', { session: merchant.session });
    const types = body.audit_events.map((event: { type: string }) => event.type);
    expect(types.toSorted()).toEqual(
      [
        'merchant.created',
        'merchant_session.created',
        'domain.registered',
        'domain.verified',
        'merchant.activated',
      ].toSorted(),
    );
    const actors = new Set(body.audit_events.map((event: { actor: { kind: string } }) => event.actor.kind));
    expect([...actors]).toEqual(['operator']);
  });
});

describe('coming back', () => {
  it('offers the organizations of the team member, without their identifiers', async () => {
    const { email, merchantId } = await signUp(service, { name: 'First' });
    await signUp(service, { email, name: 'Second' });
    const { merchants } = await verifyEmail(service, email);
    expect(merchants.map(({ name, status }) => ({ name, status }))).toEqual([
      { name: 'Second', status: 'pending' },
      { name: 'First', status: 'pending' },
    ]);
    expect(JSON.stringify(merchants)).not.toContain(merchantId);
    const again = await verifyEmail(service, email);
    const ids = [...merchants, ...again.merchants].map((choice) => choice.choice_id);
    expect(new Set(ids).size).toBe(4);
  });

  it('enters the chosen one, and recovers a setup that was left pending', async () => {
    const { email, merchantId } = await signUp(service, { name: 'Left early' });
    const session = await signIn(service, email);
    const { body } = await service.call('GET', '/v1/merchants/current', { session });
    expect(body.merchant).toMatchObject({ merchant_id: merchantId, status: 'pending' });
  });

  it('knows an address in any case', async () => {
    const { email, merchantId } = await signUp(service);
    const { merchants } = await (async () => {
      await succeed(
        service.call('POST', '/v1/merchant-accounts/registrations', { body: { email: email.toUpperCase() } }),
      );
      const mail = await service.smtp.waitForMail(email);
      const token = /#token=(\w+)/.exec(mail.text)?.[1];
      return (
        await succeed(service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token } }))
      ).body;
    })();
    expect(merchants).toHaveLength(1);
    const [row] = await service.db`
      select count(*)::int as count from merchant_operators where merchant_id = ${merchantId}`;
    expect(row?.['count']).toBe(1);
  });
});

describe('the session', () => {
  it('is a cookie out of reach for scripts and other sites', async () => {
    const { session_grant } = await verifyEmail(service, uniqueEmail());
    const { next_grant } = (
      await service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Shop' } })
    ).body;
    const opened = await service.call('POST', '/v1/merchant-sessions', { body: { next_grant } });
    const [cookie] = opened.headers.getSetCookie();
    expect(cookie).toMatch(/^svc_session=svc_ms_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(Object.keys(opened.body).toSorted()).toEqual([
      'csrf_token',
      'merchant',
      'ok',
      'operator',
      'session',
    ]);
    const lifeMs = Date.parse(opened.body.session.expires_at) - service.clock.now().getTime();
    expect(Math.abs(lifeMs - 12 * 3_600_000)).toBeLessThan(10_000);
  });

  it('is a __Host- cookie on https', async () => {
    const { sessionCookie, endedCookie } = await import('./cookies.ts');
    expect(sessionCookie('__Host-svc_session', 'x')).toBe(
      '__Host-svc_session=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
    );
    expect(endedCookie('svc_session')).toContain('svc_session=; Path=/; Max-Age=0;');
  });

  it('ends with sign-out, together with the admin sessions it made', async () => {
    const { session, merchantId, email } = await signUp(service);
    const other = await signIn(service, email);
    const sessions = await service.db`
      select session_id, account_id from merchant_sessions where merchant_id = ${merchantId} order by created_at`;
    for (const [index, row] of sessions.entries()) {
      await service.db`
        insert into admin_sessions (session_id, token_hash, merchant_id, account_id, merchant_session_id, created_at, expires_at)
        values (${`ses_admin${index}${merchantId}`}, ${`hash${index}${merchantId}`}, ${merchantId}, ${row['account_id']},
                ${row['session_id']}, now(), now() + interval '1 hour')`;
    }
    const signedOut = await service.call('DELETE', '/v1/merchant-sessions/current', { session });
    expect(signedOut.status).toBe(200);
    expect(signedOut.text).toBe('{"ok":true}');
    expect(signedOut.headers.getSetCookie()[0]).toMatch(/^svc_session=; Path=\/; Max-Age=0;/);
    const after = await service.call('GET', '/v1/merchants/current', { session });
    expect([after.status, after.body.error.code]).toEqual([401, 'token_revoked']);
    expect((await service.call('GET', '/v1/merchants/current', { session: other })).status).toBe(200);
    const admin = await service.db`
      select ended_at is not null as ended from admin_sessions where merchant_id = ${merchantId} order by session_id`;
    expect(admin.map((row) => row['ended'])).toEqual([true, false]);
    const told = await service.db`
      select target_id from audit_events where merchant_id = ${merchantId} and type = 'admin_session.ended'`;
    expect(told.map((row) => row['target_id'])).toEqual([`ses_admin0${merchantId}`]);
  });

  it('ends everywhere immediately: other organizations, other devices, and grants not yet used', async () => {
    const first = await signUp(service, { name: 'One' });
    const second = await signUp(service, { email: first.email, name: 'Two' });
    const stranger = await signUp(service);
    const { session_grant, merchants } = await verifyEmail(service, first.email);
    const ended = await service.call('DELETE', '/v1/merchant-sessions', { session: first.session });
    expect(ended.text).toBe('{"ok":true}');
    for (const { session } of [first, second]) {
      const after = await service.call('GET', '/v1/merchants/current', { session });
      expect(after.body.error.code).toBe('token_revoked');
    }
    const late = await service.call('POST', '/v1/merchant-sessions', {
      body: { session_grant, choice_id: merchants[0]?.choice_id },
    });
    expect(late.body.error.code).toBe('grant_invalid');
    expect((await service.call('GET', '/v1/merchants/current', { session: stranger.session })).status).toBe(
      200,
    );
    const rows = await service.db`
      select merchant_id from audit_events where type = 'merchant_session.ended_everywhere'`;
    expect(rows.map((row) => row['merchant_id']).toSorted()).toEqual(
      [first.merchantId, second.merchantId].toSorted(),
    );
  });
});

it('no secret of the whole way is in any table, database file or log line, used or not', async () => {
  const { log, lines } = createLogLines();
  const service = await serviceForTest({ overrides: () => ({ log }) });
  const email = uniqueEmail();
  const secrets: string[] = [];
  const keep = <T extends string>(secret: T): T => {
    secrets.push(secret);
    return secret;
  };
  const unused = keep(await mailedToken(service, email));
  const token = keep(await mailedToken(service, email));
  const verified = await succeed(
    service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token } }),
  );
  const session_grant = keep(verified.body.session_grant);
  const made = await succeed(
    service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Shop' } }),
  );
  const next_grant = keep(made.body.next_grant);
  const session = sessionOf(
    await succeed(service.call('POST', '/v1/merchant-sessions', { body: { next_grant } })),
  );
  const back = await signIn(service, email);
  for (const each of [session, back]) {
    keep(each.cookie.split('=')[1] ?? '');
    keep(each.csrf);
  }
  await proveDomain(service, session, uniqueDomain());
  // Errors and failures must not repeat what they were sent either.
  await service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token: unused } });
  await service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Again' } });
  await service.call('GET', `/v1/merchants/current?token=${unused}`, { session });
  await service.call('POST', `/v1/nothing/${next_grant}`, { session, body: { token } });
  await service.call('DELETE', '/v1/merchant-sessions/current', { session });

  expect(await scanForSecrets(service.db, secrets)).toEqual([]);
  // Proves that the scan works: it finds the hash of a secret, in its table and in the table's file.
  const found = await scanForSecrets(service.db, [hashSecret(token)]);
  const places = found.map(({ place }) => place.split('/')[0]);
  expect(places).toEqual(expect.arrayContaining(['table email_links', 'file base']));
  const written = lines.join('\n');
  expect(lines.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(written).not.toContain(secret);
  expect(secrets).toHaveLength(8);
  expect(new Set(secrets.map((secret) => secret.length > 40))).toEqual(new Set([true]));
});
