import {
  outcome,
  type SignedUp,
  signUp,
  succeed,
  uniqueDomain,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let account: SignedUp;
beforeAll(async () => {
  service = await startService();
  account = await signUp(service);
});
afterAll(() => service.close());

const register = (body: Record<string, unknown>, { session } = account) =>
  service.call('POST', '/v1/merchant-domains', { session, body });

describe('registering a domain', () => {
  it('returns the record and both ways to publish one value', async () => {
    const domain = uniqueDomain();
    const { status, body } = await register({ domain });
    expect(status).toBe(201);
    expect(body.domain).toEqual({
      domain_id: expect.stringMatching(/^dom_[0-9A-Z]{26}$/),
      domain,
      method: 'dns',
      status: 'pending',
      created_at: expect.any(String),
      verified_at: null,
    });
    const value = body.challenge.dns.value;
    expect(value).toMatch(/^svc-domain-verification=[\w-]{43}$/);
    expect(body.challenge).toEqual({
      method: 'dns',
      dns: { type: 'TXT', name: `_svc-challenge.${domain}`, value },
      https: { url: `https://${domain}/.well-known/svc-challenge.txt`, body: value },
      expires_at: expect.any(String),
    });
    const lifeMs = Date.parse(body.challenge.expires_at) - Date.parse(body.domain.created_at);
    expect(lifeMs).toBe(7 * 86_400_000);
    const read = await service.call('GET', `/v1/merchant-domains/${body.domain.domain_id}`, account);
    expect(read.body).toEqual(body);
  });

  it.each([
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['SHOP.EXAMPLE.', 'shop.example'],
    ['a.b.shop.test', 'a.b.shop.test'],
    ['shop。example', 'shop.example'],
  ])('%s is the exact host %s', async (sent, domain) => {
    expect((await register({ domain: sent })).body.domain.domain).toBe(domain);
  });

  it.each([
    '',
    'shop',
    'com',
    'co.uk',
    'github.io',
    'https://shop.example',
    'shop.example:443',
    'shop.example/path',
    '*.shop.example',
    '192.0.2.1',
    '[2001:db8::1]',
    'shop_1.example',
    'shop .example',
    'xn--a.example',
    '-shop.example',
    `${'a'.repeat(64)}.example`,
    'shop.example..',
  ])('%j is refused', async (domain) => {
    const received = await register({ domain });
    expect(received.status).toBe(400);
    expect(received.body.error.issues).toMatchObject([{ field: 'domain', code: 'invalid_format' }]);
  });

  it('again is the same record and challenge, in whatever spelling', async () => {
    const domain = uniqueDomain();
    const first = await register({ domain });
    const again = await register({ domain: `${domain.toUpperCase()}.` });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.text).toBe(first.text);
  });

  it('again with the other method changes how it is proved, not what is published', async () => {
    const domain = uniqueDomain();
    const first = await register({ domain });
    const again = await register({ domain, method: 'https' });
    expect(again.body.domain).toEqual({ ...first.body.domain, method: 'https' });
    expect(again.body.challenge).toEqual({ ...first.body.challenge, method: 'https' });
    expect((await register({ domain })).text).toBe(again.text);
  });

  it('again after seven days is the same record with a new challenge', async () => {
    const domain = uniqueDomain();
    const first = await register({ domain });
    const later = new Date(service.clock.now().getTime() - 8 * 86_400_000);
    await service.db`
      update domains set challenge_expires_at = ${later} where domain_id = ${first.body.domain.domain_id}`;
    const again = await register({ domain });
    expect(again.status).toBe(200);
    expect(again.body.domain).toEqual(first.body.domain);
    expect(again.body.challenge.dns.value).not.toBe(first.body.challenge.dns.value);
    expect(Date.parse(again.body.challenge.expires_at)).toBeGreaterThan(service.clock.now().getTime());
  });

  it('of a verified name changes nothing, whatever is sent', async () => {
    const merchant = await verifiedMerchant(service);
    const again = await register({ domain: merchant.domain, method: 'https' }, merchant);
    expect(again.status).toBe(200);
    expect(again.body.domain).toMatchObject({ method: 'dns', status: 'verified' });
    expect(again.body.challenge.dns.value).toBe(merchant.challenge);
  });

  it('has a limit for each organization', async () => {
    const full = await signUp(service);
    await service.db`
      insert into domains (domain_id, merchant_id, domain, method, status, challenge, challenge_expires_at, created_at)
      select 'dom_' || lpad(n::text, 26, '0'), ${full.merchantId}, 'full' || n || '.example', 'dns', 'pending', 'x', now(), now()
      from generate_series(1, 100) n`;
    expect(outcome(await register({ domain: uniqueDomain() }, full))).toBe('409 limit_reached');
    expect(outcome(await register({ domain: 'full7.example' }, full))).toBe('200 ok');
  });
});

describe('lists', () => {
  it('show the own domains, newest first, page by page', async () => {
    const { session } = await signUp(service);
    const names = [uniqueDomain(), uniqueDomain(), uniqueDomain()];
    for (const domain of names) {
      await succeed(service.call('POST', '/v1/merchant-domains', { session, body: { domain } }));
      service.clock.advance(10);
    }
    const seen: string[] = [];
    let query: Record<string, string | number> = { limit: 2 };
    for (let page = 0; page < 3; page += 1) {
      const { body } = await service.call('GET', '/v1/merchant-domains', { session, query });
      seen.push(...body.domains.map((row: { domain: string }) => row.domain));
      if (body.next_cursor === null) break;
      query = { limit: 2, cursor: body.next_cursor };
    }
    expect(seen).toEqual(names.toReversed());
  });

  it.each([
    [{ limit: 0 }, '400 validation_failed'],
    [{ limit: 101 }, '400 validation_failed'],
    [{ limit: 'x' }, '400 validation_failed'],
    [{ cursor: 'nonsense!' }, '400 invalid_cursor'],
  ])('%j is %s', async (query, wanted) => {
    const { session } = account;
    expect(outcome(await service.call('GET', '/v1/merchant-domains', { session, query }))).toBe(wanted);
  });
});

describe('deleting a domain', () => {
  it('returns its last state, then it is gone, and its name is free for anyone', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    const path = `/v1/merchant-domains/${merchant.domainId}`;
    const deleted = await service.call('DELETE', path, { session });
    expect(deleted.body.domain).toMatchObject({ domain_id: merchant.domainId, status: 'verified' });
    for (const [method, each] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/verify`],
    ] as const)
      expect(outcome(await service.call(method, each, { session }))).toBe('404 resource_not_found');
    const list = await service.call('GET', '/v1/merchant-domains', { session });
    expect(list.body.domains).toEqual([]);
    const current = await service.call('GET', '/v1/merchants/current', { session });
    expect(current.body.merchant.status).toBe('active');
    const again = await register({ domain: merchant.domain }, merchant);
    expect(again.status).toBe(201);
    expect(again.body.domain.domain_id).not.toBe(merchant.domainId);
    const next = await verifiedMerchant(service, { domain: merchant.domain });
    expect(next.domainId).not.toBe(merchant.domainId);
  });
});

describe('the profile', () => {
  it('is renamed with its version, and each change adds one', async () => {
    const { session } = await verifiedMerchant(service);
    const patch = (body: Record<string, unknown>) =>
      service.call('PATCH', '/v1/merchants/current', { session, body });
    const changed = await patch({ name: 'New name', version: 2 });
    expect(changed.body.merchant).toMatchObject({ name: 'New name', version: 3, status: 'active' });
    for (const version of [2, 4]) {
      const stale = await patch({ name: 'Other', version });
      expect(outcome(stale)).toBe('409 version_conflict');
      expect(stale.body.error.details).toEqual({ current_version: 3 });
    }
    expect((await patch({ name: 'Other' })).body.error.issues).toMatchObject([
      { field: 'version', code: 'required' },
    ]);
    expect(outcome(await patch({ name: '\u00a0 ', version: 3 }))).toBe('400 validation_failed');
    expect(outcome(await patch({ name: 'a\u200bb', version: 3 }))).toBe('422 risk_rejected');
    expect(outcome(await patch({ name: 'é'.repeat(201), version: 3 }))).toBe('400 validation_failed');
    expect(outcome(await patch({ name: '🧀'.repeat(200), version: 3 }))).toBe('200 ok');
  });

  it('cannot be changed while the organization is pending', async () => {
    const { session } = account;
    const sent = { session, body: { name: 'New', version: 1 } };
    expect(outcome(await service.call('PATCH', '/v1/merchants/current', sent))).toBe(
      '403 merchant_not_active',
    );
  });
});
