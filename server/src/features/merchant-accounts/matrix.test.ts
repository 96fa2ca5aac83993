import {
  outcome,
  type SignedUp,
  signUp,
  type TestMerchant,
  uniqueDomain,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import type { Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantsFeature } from '../merchants/index.ts';
import { merchantAccountsFeature } from './index.ts';

let service: TestService;
let owner: TestMerchant;
let foreign: TestMerchant;
let pending: SignedUp;
beforeAll(async () => {
  service = await startService();
  owner = await verifiedMerchant(service);
  foreign = await verifiedMerchant(service);
  pending = await signUp(service);
});
afterAll(() => service.close());

interface Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  session: boolean;
  /** A body that passes every check, or would if the one-time secrets in it were right. */
  body?: Record<string, unknown>;
  /** Needs a version, so a stale one must be rejected. */
  versioned?: boolean;
  /** The result for a session of another tenant, where the path names a record of the owner. */
  namesRecord?: boolean;
  pending?: 'works';
}

const ROWS: readonly Row[] = [
  {
    method: 'POST',
    path: '/v1/merchant-accounts/registrations',
    session: false,
    body: { email: 'a@b.example' },
  },
  { method: 'POST', path: '/v1/merchant-accounts/email-verifications', session: false, body: { token: 'x' } },
  { method: 'POST', path: '/v1/merchants', session: false, body: { session_grant: 'x', name: 'Shop' } },
  { method: 'POST', path: '/v1/merchant-sessions', session: false, body: { next_grant: 'x' } },
  { method: 'GET', path: '/v1/merchant-sessions/current', session: true, pending: 'works' },
  { method: 'DELETE', path: '/v1/merchant-sessions/current', session: true, pending: 'works' },
  { method: 'DELETE', path: '/v1/merchant-sessions', session: true, pending: 'works' },
  { method: 'GET', path: '/v1/merchant-sessions', session: true, pending: 'works' },
  { method: 'DELETE', path: '/v1/merchant-sessions/{id}', session: true, pending: 'works' },
  { method: 'GET', path: '/v1/merchants/current', session: true, pending: 'works' },
  {
    method: 'PATCH',
    path: '/v1/merchants/current',
    session: true,
    body: { name: 'Shop', version: 2 },
    versioned: true,
  },
  {
    method: 'POST',
    path: '/v1/merchant-domains',
    session: true,
    body: { domain: uniqueDomain() },
    pending: 'works',
  },
  { method: 'GET', path: '/v1/merchant-domains', session: true, pending: 'works' },
  { method: 'GET', path: '/v1/merchant-domains/{id}', session: true, namesRecord: true, pending: 'works' },
  { method: 'DELETE', path: '/v1/merchant-domains/{id}', session: true, namesRecord: true, pending: 'works' },
  {
    method: 'POST',
    path: '/v1/merchant-domains/{id}/verify',
    session: true,
    namesRecord: true,
    pending: 'works',
  },
];

const label = ({ method, path }: Row) => `${method} ${path}`;
const named = (rows: readonly Row[]) => rows.map((row) => [label(row), row] as const);
const signedIn = ROWS.filter((row) => row.session);
const mutations = signedIn.filter((row) => row.method !== 'GET');

const send = (row: Row, sent: Sent = {}, domainId = owner.domainId) =>
  service.call(row.method, row.path.replace('{id}', domainId), {
    ...(row.body && row.method !== 'GET' ? { body: row.body } : {}),
    ...sent,
  });

it('has a row for every route of this part', () => {
  const routes = [...(merchantAccountsFeature().routes ?? []), ...(merchantsFeature().routes ?? [])];
  expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    ROWS.map(label).toSorted(),
  );
});

describe('no, broken or foreign kinds of credentials are 401', () => {
  const OTHERS: readonly (readonly [string, () => Sent])[] = [
    ['nothing', () => ({})],
    ['a cookie of another form', () => ({ headers: { cookie: 'svc_session=abc' } })],
    [
      'the cookie name of https',
      () => ({ headers: { cookie: owner.session.cookie.replace('svc_', '__Host-svc_') } }),
    ],
    ['the session as a bearer', () => ({ bearer: owner.session.cookie.split('=')[1] ?? '' })],
    [
      'two different sessions',
      () => ({ headers: { cookie: `${owner.session.cookie}; ${foreign.session.cookie}` } }),
    ],
    ['a device', () => ({ device: { device_id: 'dev_x', token: 'svc_dt_x' } })],
    ['an API key', () => ({ apiKey: 'svc_key_test_x' })],
  ];
  it.each(named(signedIn))('%s', async (_name, row) => {
    for (const [what, sent] of OTHERS)
      expect([what, outcome(await send(row, sent()))]).toEqual([what, '401 unauthenticated']);
  });
});

describe('a change without its CSRF proof, or from elsewhere, is 403', () => {
  const { session: asSession } = { session: () => owner.session };
  const OTHERS: readonly (readonly [string, () => Sent])[] = [
    ['no proof', () => ({ headers: { cookie: asSession().cookie } })],
    ['an empty proof', () => ({ session: { ...asSession(), csrf: '' } })],
    ['the proof of another session', () => ({ session: { ...asSession(), csrf: foreign.session.csrf } })],
    ['a foreign origin', () => ({ session: asSession(), headers: { origin: 'https://evil.example' } })],
    ['no origin at all', () => ({ session: asSession(), headers: { origin: 'null' } })],
    ['another port', () => ({ session: asSession(), headers: { origin: 'http://127.0.0.1:1' } })],
    ['another site', () => ({ session: asSession(), headers: { 'sec-fetch-site': 'cross-site' } })],
  ];
  it.each(named(mutations))('%s', async (_name, row) => {
    for (const [what, sent] of OTHERS)
      expect([what, outcome(await send(row, sent()))]).toEqual([what, '403 csrf_invalid']);
  });

  it('also where a session is opened', async () => {
    const row = ROWS.find((each) => each.path === '/v1/merchant-sessions' && each.method === 'POST');
    const received = row && (await send(row, { headers: { origin: 'https://evil.example' } }));
    expect(received && outcome(received)).toBe('403 csrf_invalid');
  });
});

describe('the record of another tenant', () => {
  it.each(named(signedIn.filter((row) => row.namesRecord)))(
    '%s is 404, byte for byte like an absent one',
    async (_name, row) => {
      const headers = { 'x-request-id': 'same' };
      const sent = { session: foreign.session, headers };
      const theirs = await send(row, sent);
      const absent = await send(row, sent, 'dom_00000000000000000000000000');
      expect(outcome(theirs)).toBe('404 resource_not_found');
      expect(theirs.text).toBe(absent.text);
      const strip = (all: Headers) => [...all].filter(([name]) => name !== 'date');
      expect(strip(theirs.headers)).toEqual(strip(absent.headers));
    },
  );

  it('is in no list', async () => {
    const { body } = await service.call('GET', '/v1/merchant-domains', { session: foreign.session });
    expect(body.domains.map((row: { domain_id: string }) => row.domain_id)).toEqual([foreign.domainId]);
  });
});

describe('unknown and identity fields are 400 and named', () => {
  it.each(named(ROWS.filter((row) => row.method !== 'GET')))('%s', async (_name, row) => {
    const session = row.session ? { session: owner.session } : {};
    for (const field of ['mispelt', 'merchant_id', 'tenant_id', 'organization_id', 'agent_id']) {
      const received = await send(row, { ...session, body: { ...row.body, [field]: owner.merchantId } });
      expect(received.status).toBe(400);
      const code = field === 'mispelt' ? 'unknown_field' : 'identity_field_forbidden';
      expect(received.body.error.issues).toMatchObject([{ field, code }]);
    }
  });

  it.each(named(signedIn))(
    '%s: identity in the query too, and every other parameter that the call does not take',
    async (_name, row) => {
      if (row.method === 'DELETE') return;
      const query = { merchant_id: owner.merchantId, colour: 'blue' };
      const received = await send(row, { session: owner.session, query });
      expect(received.body.error.issues).toMatchObject([
        { field: 'merchant_id', code: 'identity_field_forbidden' },
        { field: 'colour', code: 'unknown_field' },
      ]);
    },
  );
});

describe('stale and future versions are 409 with the current one', () => {
  it.each(named(ROWS.filter((row) => row.versioned)))('%s', async (_name, row) => {
    const { body } = await service.call('GET', '/v1/merchants/current', { session: owner.session });
    const { version } = body.merchant;
    for (const other of [0, version - 1, version + 1]) {
      const received = await send(row, { session: owner.session, body: { ...row.body, version: other } });
      expect(outcome(received)).toBe('409 version_conflict');
      expect(received.body.error.details).toEqual({ current_version: version });
    }
  });
});

describe('a pending organization', () => {
  const rows = signedIn.filter((row) => row.method !== 'DELETE');
  it.each(named(rows))('%s', async (_name, row) => {
    const received = await send(row, { session: pending.session });
    const wanted =
      row.pending === 'works' ? /^(20[01] ok|404 resource_not_found)$/ : /^403 merchant_not_active$/;
    expect(outcome(received)).toMatch(wanted);
  });
});
