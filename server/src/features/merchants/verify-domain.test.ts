import { connect } from 'node:net';
import {
  outcome,
  type SignedUp,
  signUp,
  succeed,
  uniqueDomain,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { createPayee, verifyPayee } from '@payassent/proof/people/payees';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { createAuthority, type TestAuthority } from '@payassent/proof/surroundings/certificates';
import type { Behaviour } from '@payassent/proof/surroundings/http-receiver';
import { startHttpsReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDns } from '../../lib/dns.ts';
import { createOutbound } from '../../lib/outbound/index.ts';

const HTTPS_DOMAIN = 'files.shop.example';

let service: TestService;
let authority: TestAuthority;
let receiver: TestReceiver;
/** Never proves anything, so it stays pending. */
let luckless: SignedUp;
let silentProof: Promise<{ received: Received; elapsedMs: number }>;

beforeAll(async () => {
  authority = await createAuthority();
  receiver = await startHttpsReceiver(await authority.issue([HTTPS_DOMAIN]), HTTPS_DOMAIN);
  service = await startService({
    overrides: ({ dns }) => ({
      outbound: createOutbound({
        dns: createDns([dns.address]),
        allowLoopback: true,
        extraCa: authority.cert,
        // Only root may bind port 443; the receiver uses another one.
        openSocket: (host, port) => connect({ host, port: port === 443 ? receiver.port : port }),
      }),
    }),
  });
  luckless = await signUp(service);
  silentProof = proveAgainstSilence(await registered({ account: luckless }));
});
afterAll(async () => {
  await silentProof.catch(() => {});
  await service.close();
  await receiver.close();
});

interface Registered {
  account: SignedUp;
  domainId: string;
  domain: string;
  /** `_svc-challenge.…` */
  name: string;
  value: string;
}

async function registered(
  options: { account?: SignedUp; domain?: string; method?: 'dns' | 'https' } = {},
): Promise<Registered> {
  const account = options.account ?? (await signUp(service));
  const body = { domain: options.domain ?? uniqueDomain(), method: options.method ?? 'dns' };
  const made = await succeed(
    service.call('POST', '/v1/merchant-domains', { session: account.session, body }),
  );
  const { name, value } = made.body.challenge.dns;
  return { account, domainId: made.body.domain.domain_id, domain: body.domain, name, value };
}

const verify = ({ account, domainId }: Pick<Registered, 'account' | 'domainId'>) =>
  service.call('POST', `/v1/merchant-domains/${domainId}/verify`, { session: account.session });

async function proveAgainstSilence(it: Registered) {
  service.dns.fail(it.name, 'silence');
  const startedMs = performance.now();
  const received = await verify(it);
  return { received, elapsedMs: performance.now() - startedMs };
}

/** Whole rows with the transaction that wrote them: equal means that nothing was written at all. */
async function snapshot(): Promise<string> {
  const domains = await service.db`select xmin::text, * from domains order by domain_id`;
  const merchants = await service.db`select xmin::text, * from merchants order by merchant_id`;
  return JSON.stringify([domains, merchants]);
}

describe('a proof by DNS', () => {
  it.each<[string, (it: Registered) => void, object]>([
    ['nothing is published', () => {}, { reason: 'name_not_found', found: [] }],
    [
      'the name has other records only',
      ({ name }) => service.dns.set(name, 'A', ['192.0.2.1']),
      { reason: 'no_txt_record', found: [] },
    ],
    [
      'other values are published',
      ({ name }) => service.dns.set(name, 'TXT', ['v=spf1 -all', 'x'.repeat(250)]),
      { reason: 'value_differs', found: ['v=spf1 -all', `${'x'.repeat(200)}…`] },
    ],
    [
      'the value has something in front',
      ({ name, value }) => service.dns.set(name, 'TXT', [` ${value}`]),
      { reason: 'value_differs', explanation: expect.stringContaining('quotation marks or spaces') },
    ],
    [
      'the value stands in two records',
      ({ name, value }) => service.dns.set(name, 'TXT', [value.slice(0, 20), value.slice(20)]),
      { reason: 'value_differs' },
    ],
    [
      'the value has another case',
      ({ name, value }) => service.dns.set(name, 'TXT', [value.toUpperCase()]),
      { reason: 'value_differs' },
    ],
    [
      'it stands at the domain itself',
      ({ domain, value }) => service.dns.set(domain, 'TXT', [value]),
      { reason: 'name_not_found' },
    ],
    ['the name server fails', ({ name }) => service.dns.fail(name, 'SERVFAIL'), { reason: 'dns_failed' }],
  ])('fails when %s, changes nothing and reports what was found', async (_when, publish, details) => {
    const it = await registered({ account: luckless });
    publish(it);
    const before = await snapshot();
    const received = await verify(it);
    expect(outcome(received)).toBe('409 domain_proof_failed');
    expect(received.body.error.details).toMatchObject({
      method: 'dns',
      looked_up: { type: 'TXT', name: it.name },
      expected: it.value,
      ...details,
    });
    expect(received.body.error.message).toContain(it.name);
    expect(await snapshot()).toBe(before);
  });

  it('finds the value among others, also when it is sent in pieces', async () => {
    const it = await registered();
    const { value } = it;
    service.dns.set(it.name, 'TXT', ['other', [value.slice(0, 10), value.slice(10)]]);
    const received = await verify(it);
    expect(received.body.domain).toMatchObject({ status: 'verified', verified_at: expect.any(String) });
    expect(received.body.merchant).toMatchObject({ status: 'active', version: 2 });
  });

  it('of a verified domain returns without a lookup', async () => {
    const merchant = await verifiedMerchant(service);
    const it = { account: merchant, domainId: merchant.domainId };
    service.dns.remove(`_svc-challenge.${merchant.domain}`);
    const lookups = () => service.dns.queries.filter((query) => query.name.endsWith(merchant.domain)).length;
    const lookupsBefore = lookups();
    const before = await snapshot();
    expect(outcome(await verify(it))).toBe('200 ok');
    expect(lookups()).toBe(lookupsBefore);
    expect(await snapshot()).toBe(before);
  });

  it('of a second domain leaves the version of the organization as it is', async () => {
    const account = await verifiedMerchant(service);
    const it = await registered({ account });
    service.dns.set(it.name, 'TXT', [it.value]);
    const received = await verify(it);
    expect(received.body.merchant).toMatchObject({ status: 'active', version: 2 });
  });

  it('gives up after five seconds without a response', async () => {
    const { received, elapsedMs } = await silentProof;
    expect(outcome(received)).toBe('409 domain_proof_failed');
    expect(received.body.error.details).toMatchObject({ reason: 'dns_timeout', found: [] });
    expect(elapsedMs).toBeGreaterThan(4_500);
    expect(elapsedMs).toBeLessThan(30_000);
  });
});

describe('a proof by HTTPS', () => {
  const answer = (body: string, more: Partial<Extract<Behaviour, { kind: 'answer' }>> = {}): Behaviour => ({
    kind: 'answer',
    body,
    ...more,
  });

  it.each<[string, (value: string) => Behaviour, object]>([
    [
      'another content',
      () => answer('hello'),
      { reason: 'value_differs', found: { http_status: 200, body: 'hello' } },
    ],
    ['two line ends', (value) => answer(`${value}\n\n`), { reason: 'value_differs' }],
    ['a space in front', (value) => answer(` ${value}`), { reason: 'value_differs' }],
    ['another status', (value) => answer(value, { status: 404 }), { reason: 'http_status' }],
    [
      'a redirect',
      () => ({ kind: 'redirect', location: 'https://elsewhere.example/' }),
      { reason: 'redirected', found: { http_status: 302 } },
    ],
    ['more than 4 KiB', (value) => answer(`${value}${'\n'.repeat(4097)}`), { reason: 'body_too_long' }],
    ['no HTTP', () => ({ kind: 'garbage' }), { reason: 'invalid_response', found: null }],
  ])('fails on %s, and changes nothing', async (_what, behaviour, details) => {
    service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
    const it = await registered({ account: luckless, domain: HTTPS_DOMAIN, method: 'https' });
    receiver.script(behaviour(it.value));
    const before = await snapshot();
    const received = await verify(it);
    expect(outcome(received)).toBe('409 domain_proof_failed');
    expect(received.body.error.details).toMatchObject({
      method: 'https',
      looked_up: { url: `https://${HTTPS_DOMAIN}/.well-known/svc-challenge.txt` },
      expected: it.value,
      ...details,
    });
    expect(await snapshot()).toBe(before);
  });

  it('fails on a certificate for another name, and on a name without an address', async () => {
    const domain = 'other.shop.example';
    service.dns.set(domain, 'A', ['127.0.0.1']);
    const it = await registered({ account: luckless, domain, method: 'https' });
    expect((await verify(it)).body.error.details.reason).toBe('tls_failed');
    service.dns.remove(domain);
    expect((await verify(it)).body.error.details.reason).toBe('dns_failed');
  });

  it.each(['', '\n', '\r\n'])(
    'requests the exact path and accepts the value with %j behind it',
    async (end) => {
      service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
      const it = await registered({ domain: HTTPS_DOMAIN, method: 'https' });
      receiver.script(answer(`${it.value}${end}`));
      // Published by DNS as well, in another place and wrong: only the chosen method counts.
      service.dns.set(it.name, 'TXT', ['wrong']);
      expect(outcome(await verify(it))).toBe('200 ok');
      const { method, path, headers } = receiver.requests.at(-1) ?? {};
      expect([method, path, headers?.['host']]).toEqual([
        'GET',
        '/.well-known/svc-challenge.txt',
        HTTPS_DOMAIN,
      ]);
      const { session } = it.account;
      await succeed(service.call('DELETE', `/v1/merchant-domains/${it.domainId}`, { session }));
    },
  );
});

describe('two organizations and one domain', () => {
  it('it stays where its proof is, and moves when that is gone', async () => {
    const domain = uniqueDomain();
    const first = await registered({ domain });
    const second = await registered({ domain });
    service.dns.set(first.name, 'TXT', [first.value]);
    expect(outcome(await verify(first))).toBe('200 ok');
    expect(outcome(await verify(second))).toBe('409 domain_proof_failed');
    service.dns.set(first.name, 'TXT', [first.value, second.value]);
    const before = await snapshot();
    expect(outcome(await verify(second))).toBe('409 domain_already_verified');
    expect(await snapshot()).toBe(before);

    service.dns.set(first.name, 'TXT', [second.value]);
    const moved = await verify(second);
    expect(moved.body).toMatchObject({ domain: { status: 'verified' }, merchant: { status: 'active' } });
    const { session } = first.account;
    const lost = await service.call('GET', `/v1/merchant-domains/${first.domainId}`, { session });
    expect(lost.body.domain).toMatchObject({ status: 'lapsed', verified_at: expect.any(String) });
    const merchant = await service.call('GET', '/v1/merchants/current', { session });
    expect(merchant.body.merchant).toMatchObject({ status: 'active', version: 2 });
    const audit = await service.call('GET', '/v1/audit-events', {
      session,
      query: { type: 'domain.lapsed' },
    });
    expect(audit.body.audit_events).toMatchObject([
      { actor: { kind: 'system' }, target: { type: 'domain', id: first.domainId } },
    ]);

    service.dns.set(first.name, 'TXT', [first.value]);
    expect(outcome(await verify(first))).toBe('200 ok');
    const back = await service.call('GET', `/v1/merchant-domains/${second.domainId}`, {
      session: second.account.session,
    });
    expect(back.body.domain.status).toBe('lapsed');
  });

  it('it does not move while it is unknown whether the first proof is gone', async () => {
    service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
    const first = await registered({ domain: HTTPS_DOMAIN });
    service.dns.set(first.name, 'TXT', [first.value]);
    await succeed(verify(first));
    const second = await registered({ domain: HTTPS_DOMAIN, method: 'https' });
    receiver.script({ kind: 'answer', body: second.value });
    service.dns.fail(first.name, 'SERVFAIL');
    expect(outcome(await verify(second))).toBe('409 domain_already_verified');
    service.dns.fail(first.name, undefined);
    service.dns.remove(first.name);
    expect(outcome(await verify(second))).toBe('200 ok');
  });

  it('nor while the web server of the first is down, unreachable or unresolvable', async () => {
    service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
    const first = await registered({ domain: HTTPS_DOMAIN, method: 'https' });
    receiver.script({ kind: 'answer', body: first.value });
    await succeed(verify(first));
    const second = await registered({ domain: HTTPS_DOMAIN });
    service.dns.set(second.name, 'TXT', [second.value]);
    const tried = async () => outcome(await verify(second));
    for (const behaviour of [
      { kind: 'answer', status: 503 },
      { kind: 'answer', status: 429 },
      { kind: 'garbage' },
    ] satisfies Behaviour[]) {
      receiver.script(behaviour);
      expect(await tried(), JSON.stringify(behaviour)).toBe('409 domain_already_verified');
    }
    service.dns.fail(HTTPS_DOMAIN, 'SERVFAIL');
    expect(await tried(), 'SERVFAIL').toBe('409 domain_already_verified');
    service.dns.fail(HTTPS_DOMAIN, undefined);
    service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
    receiver.script({ kind: 'answer', status: 404 });
    expect(await tried(), 'the file is gone').toBe('200 ok');
    service.dns.remove(second.name);
  });

  it('a proof by HTTPS is loaded again each time, not over a connection that is still open', async () => {
    service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
    const merchant = await registered({ domain: HTTPS_DOMAIN, method: 'https' });
    receiver.script({ kind: 'answer', body: merchant.value });
    await succeed(verify(merchant));
    const { session } = merchant.account;
    const { recipient, recipient_version } = (await createPayee(service, { session })).body;
    const prove = async () =>
      outcome(
        await verifyPayee(
          service,
          { session, domainId: merchant.domainId },
          {
            recipientId: recipient.recipient_id,
            recipientVersionId: recipient_version.recipient_version_id,
            version: recipient.version,
          },
        ),
      );
    expect(await prove()).toBe('200 ok');
    service.dns.remove(HTTPS_DOMAIN);
    expect(await prove()).toBe('409 domain_proof_failed');
  });

  it('of many concurrent proofs exactly one organization gets it', async () => {
    const domain = uniqueDomain();
    const rivals = [await registered({ domain }), await registered({ domain }), await registered({ domain })];
    service.dns.set(
      `_svc-challenge.${domain}`,
      'TXT',
      rivals.map((rival) => rival.value),
    );
    const all = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const rival = rivals[index % 3];
        return rival ? outcome(await verify(rival)) : '';
      }),
    );
    expect(new Set(all)).toEqual(new Set(['200 ok', '409 domain_already_verified']));
    const rows = await service.db`select status from domains where domain = ${domain} order by status`;
    expect(rows.map((row) => row['status'])).toEqual(['pending', 'pending', 'verified']);
  });
});
