import { randomBytes } from 'node:crypto';
import { type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { signIn, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  agentToken,
  claim,
  connect,
  deviceOf,
  enrolDevice,
  type TestDevice,
} from '@payassent/proof/people/wallets';
import type { Received, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { newToken, type TokenKind } from '@payassent/protocol';
import type { CredentialKind } from '@payassent/protocol/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishedRoute } from '../src/http/route.ts';
import { publishedRoutes } from '../src/http/route.ts';

const rowOf = (route: PublishedRoute) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`;
const routes = publishedRoutes();

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
let device: TestDevice;
/** One valid credential of each kind. Which call declares which kind is held against the contract elsewhere. */
const valid = new Map<CredentialKind, Sent>();

beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  agent = await usableAgent(service, merchant);
  device = await enrolDevice(service);
  const { session } = merchant;
  valid.set('merchant', { session });
  valid.set('agent', { bearer: await agentToken(service, agent) });
  valid.set('claim', { bearer: (await claim(service, agent, device)).claimToken });
  valid.set('connection', { bearer: (await connect(service, agent, device)).connectionToken });
  valid.set('wallet', { device: deviceOf(device) });
  const body = { name: 'Matrix', agent_id: agent.agentId };
  const key = await service.call('POST', '/v1/api-keys', { session, body });
  valid.set('api_key', { apiKey: key.body.api_key });
  const admin = await service.call('POST', '/v1/admin-sessions', { session });
  valid.set('admin', { bearer: admin.body.session_token });
});
afterAll(() => service.close());

const wellFormed = (kind: TokenKind) => newToken(kind, (count) => randomBytes(count));

const BEARERS: Partial<Record<CredentialKind, TokenKind>> = {
  agent: 'agent',
  claim: 'claim',
  connection: 'connection',
  wallet: 'device',
  admin: 'admin_session',
};

/** Everything a caller could try besides the kinds themselves. None of it ever opens a call that needs a credential. */
function strays(route: PublishedRoute): Record<string, Sent> {
  const secrets: TokenKind[] = [
    'email_link',
    'session_grant',
    'merchant_session',
    'connect_key',
    'wallet_link_code',
    'recovery_code',
    'api_key',
  ];
  const accepted = route.credential.flatMap((kind) => BEARERS[kind] ?? []);
  const bearer = (valid.get('agent') as { bearer: string }).bearer;
  return {
    nothing: {},
    'a made-up bearer': { bearer: 'made-up' },
    'a bearer without a scheme': { headers: { authorization: bearer } },
    'basic authentication': { headers: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } },
    'an agent token in the API key header': { apiKey: bearer },
    'a device without its token': { query: { device_id: device.device_id } },
    'a session cookie that nobody issued': {
      session: { cookie: `svc_session=${wellFormed('merchant_session')}`, csrf: 'x' },
    },
    'an API key that nobody issued': { apiKey: wellFormed('api_key') },
    ...Object.fromEntries(secrets.map((kind) => [`${kind} as bearer`, { bearer: wellFormed(kind) }])),
    ...Object.fromEntries(
      accepted.map((kind) => [`${kind} of the right kind that nobody issued`, { bearer: wellFormed(kind) }]),
    ),
    'the session as bearer': { bearer: merchant.session.cookie.split('=')[1] ?? '' },
  };
}

function knock(route: PublishedRoute, sent: Sent): Promise<Received> {
  const path = route.path.replace(/\{\w+\}/g, 'unknown');
  const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: {} };
  return service.call(route.method, path, { ...body, ...sent });
}

const verdict = ({ status, body }: Received) => `${status} ${body?.error?.code ?? 'ok'}`;

const signsOut = (route: PublishedRoute) => route.method === 'DELETE' && !route.path.includes('{');

/** Signing out ends the credential, so each such call gets a fresh one. */
async function fresh(kind: CredentialKind, route: PublishedRoute): Promise<Sent> {
  const known = valid.get(kind) ?? {};
  if (!signsOut(route) || (kind !== 'merchant' && kind !== 'admin')) return known;
  const session = await signIn(service, merchant.email);
  if (kind === 'merchant') return { session };
  const made = await service.call('POST', '/v1/admin-sessions', { session });
  return { bearer: made.body.session_token };
}

describe('the credential matrix', () => {
  it('has a real credential for every kind that some call accepts', () => {
    const accepted = new Set(routes.flatMap((route) => route.credential));
    expect([...accepted].filter((kind) => !valid.has(kind))).toEqual([]);
  });

  it('a kind that a call does not declare is 401 unauthenticated there', async () => {
    const offences: string[] = [];
    for (const route of routes.filter((one) => one.credential.length > 0)) {
      const foreign = [...valid].filter(([kind]) => !route.credential.includes(kind));
      const answers = await Promise.all(foreign.map(([, sent]) => knock(route, sent)));
      for (const [at, [kind]] of foreign.entries()) {
        const answer = verdict(answers[at] as Received);
        if (answer !== '401 unauthenticated') offences.push(`${rowOf(route)} with ${kind}: ${answer}`);
      }
    }
    expect(offences).toEqual([]);
  });

  it('strays open nothing', async () => {
    const offences: string[] = [];
    for (const route of routes.filter((one) => one.credential.length > 0)) {
      const sent = Object.entries(strays(route));
      const answers = await Promise.all(sent.map(([, one]) => knock(route, one)));
      for (const [at, [name]] of sent.entries()) {
        const received = answers[at] as Received;
        const isOurs =
          verdict(received) === '401 unauthenticated' &&
          (route.surface === 'first' ? received.body.ok === false : received.body.success === false);
        if (!isOurs) offences.push(`${rowOf(route)} with ${name}: ${verdict(received)}`);
      }
    }
    expect(offences).toEqual([]);
  });

  it('a wrong bearer is never rescued by a right credential next to it', async () => {
    const offences: string[] = [];
    const wrong = wellFormed('claim');
    for (const route of routes.filter((one) => one.credential.length > 0)) {
      const beside = route.credential.flatMap((kind) => (kind === 'api_key' ? [] : [valid.get(kind) ?? {}]));
      for (const sent of beside.filter((one) => one.bearer === undefined)) {
        const answer = verdict(await knock(route, { ...sent, bearer: wrong }));
        if (answer !== '401 unauthenticated') offences.push(`${rowOf(route)}: ${answer}`);
      }
    }
    expect(offences).toEqual([]);
  });

  it('names an unknown query parameter to callers whose credential passes, and to no other', async () => {
    const offences: string[] = [];
    for (const route of routes) {
      const query = { surprise: '1' };
      const [kind] = route.credential;
      const bearer = kind && BEARERS[kind];
      const madeUp = bearer
        ? { bearer: wellFormed(bearer) }
        : { session: { cookie: `svc_session=${wellFormed('merchant_session')}`, csrf: 'x' } };
      const stray = kind && (await knock(route, { ...madeUp, query }));
      if (stray && verdict(stray) !== '401 unauthenticated')
        offences.push(`${rowOf(route)} with a made-up ${kind}: ${verdict(stray)}`);
      const { status, body } = await knock(route, { ...(kind && valid.get(kind)), query });
      const issues: { field: string; code: string }[] =
        body?.error?.issues ?? body?.error?.details?.issues ?? [];
      const isNamed = issues.some(({ field, code }) => field === 'surprise' && code === 'unknown_field');
      if (status !== 400 || !isNamed)
        offences.push(`${rowOf(route)}: ${status} ${JSON.stringify(body?.error)}`);
    }
    expect(offences).toEqual([]);
  });

  it('a declared kind passes the credential check, a device in each of its carriers', async () => {
    const offences: string[] = [];
    // One of them signs the operator out everywhere, so they come last.
    for (const route of [...routes].sort((a, b) => Number(signsOut(a)) - Number(signsOut(b)))) {
      for (const kind of route.credential) {
        const sent = await fresh(kind, route);
        const ways = kind === 'wallet' ? [sent, { bearer: device.token }] : [sent];
        for (const way of ways) {
          const received = await knock(route, way);
          const refused = received.status === 401 || received.body?.error?.code === 'csrf_invalid';
          if (refused || received.status >= 500)
            offences.push(`${rowOf(route)} with ${kind}: ${verdict(received)}`);
        }
      }
    }
    expect(offences).toEqual([]);
  });

  it('a mutation by session needs its CSRF proof', async () => {
    const offences: string[] = [];
    const { cookie } = await signIn(service, merchant.email);
    const mutations = routes.filter((one) => one.credential.includes('merchant') && one.method !== 'GET');
    for (const route of mutations) {
      for (const headers of [{ cookie }, { cookie, 'x-csrf-token': 'wrong' }]) {
        const answer = verdict(await knock(route, { headers }));
        if (answer !== '403 csrf_invalid') offences.push(`${rowOf(route)}: ${answer}`);
      }
    }
    expect(offences).toEqual([]);
  });
});
