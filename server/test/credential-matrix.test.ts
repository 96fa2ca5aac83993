import { randomBytes } from 'node:crypto';
import { newToken, type TokenKind } from '@countersign/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../src/app.ts';
import type { CredentialKind } from '../src/http/principals.ts';
import type { Route } from '../src/http/route.ts';
import { type TestAgent, usableAgent } from './harness/agents.ts';
import type { Received, Sent } from './harness/client.ts';
import { signIn, type TestMerchant, verifiedMerchant } from './harness/merchants.ts';
import { startService, type TestService } from './harness/service.ts';
import { agentToken, claim, connect, deviceOf, enrolDevice, type TestDevice } from './harness/wallets.ts';

/**
 * Which credentials open which call: M merchant session, A agent token, CT claim token, C connection token, W
 * wallet device, K project API key, S admin session; – none, or a secret in the body that is judged there. Rows
 * with S accept M as well.
 */
const CONTRACT: Record<string, string> = {
  'POST /v1/merchant-accounts/registrations': '–',
  'POST /v1/merchant-accounts/email-verifications': '–',
  'POST /v1/merchants': '–',
  'POST /v1/merchant-sessions': '–',
  'GET /v1/merchant-sessions/current': 'M',
  'DELETE /v1/merchant-sessions/current': 'M',
  'DELETE /v1/merchant-sessions': 'M',
  'GET /v1/merchants/current': 'M',
  'PATCH /v1/merchants/current': 'M',
  'POST /v1/merchant-domains': 'M',
  'GET /v1/merchant-domains': 'M',
  'GET /v1/merchant-domains/{}': 'M',
  'DELETE /v1/merchant-domains/{}': 'M',
  'POST /v1/merchant-domains/{}/verify': 'M',
  'POST /v1/recipients': 'M',
  'GET /v1/recipients': 'M',
  'GET /v1/recipients/{}': 'M',
  'PATCH /v1/recipients/{}': 'M',
  'POST /v1/recipients/{}/versions': 'M',
  'POST /v1/recipients/{}/verify': 'M',
  'POST /v1/recipients/{}/versions/{}/activate': 'M',
  'POST /v1/agents': 'M',
  'GET /v1/agents': 'M',
  'GET /v1/agents/{}': 'M',
  'PATCH /v1/agents/{}': 'M',
  'POST /v1/agents/{}/credentials': 'M',
  'GET /v1/agents/{}/credentials': 'M',
  'POST /v1/agents/{}/credentials/{}/activate': 'M',
  'DELETE /v1/agents/{}/credentials/{}': 'M',
  'GET /v1/audit-events': 'M',
  'GET /v1/errors': '–',
  'POST /v1/agent-auth/token': '–',
  'POST /v1/wallet-devices': '–',
  'POST /v1/wallet-devices/link-codes': 'W',
  'GET /v1/wallet-devices': 'W',
  'POST /v1/wallet-devices/{}/rotate-token': 'W',
  'DELETE /v1/wallet-devices/{}': 'W',
  'POST /v1/connect-keys': 'W',
  'GET /v1/connect-keys': 'W',
  'DELETE /v1/connect-keys/{}': 'W',
  'POST /v1/connect-invitations/claim': 'A',
  'GET /v1/connect-invitations': 'W',
  'GET /v1/connect-invitations/{}': 'CT W',
  'POST /v1/connect-invitations/{}/approve': 'W',
  'POST /v1/connect-invitations/{}/reject': 'W',
  'POST /v1/connect-invitations/{}/exchange': 'CT',
  'POST /v1/pairing/sessions': 'A',
  'GET /v1/pairing/sessions/{}': 'A',
  'GET /v1/pairing/sessions': 'W',
  'POST /v1/pairing/sessions/{}/approve': 'W',
  'POST /v1/pairing/sessions/{}/reject': 'W',
  'GET /v1/connections': 'W A M',
  'PATCH /v1/connections/{}': 'W',
  'DELETE /v1/connections/{}': 'W M',
  'POST /v1/connections/{}/rotate-token': 'W',
  'POST /v1/connections/{}/collect-token': 'A',
  'POST /v1/transaction-contexts': 'C',
  'GET /v1/transaction-contexts/{}': 'C W',
  'POST /v1/payment-requests': 'C',
  'GET /v1/payment-requests': 'C W M',
  'GET /v1/payment-requests/{}': 'C W M',
  'GET /v1/payment-requests/events': 'C',
  'POST /v1/payment-requests/{}/status': 'W',
  'POST /v1/webhook-endpoints': 'M',
  'GET /v1/webhook-endpoints': 'M',
  'GET /v1/webhook-endpoints/{}': 'M',
  'PATCH /v1/webhook-endpoints/{}': 'M',
  'DELETE /v1/webhook-endpoints/{}': 'M',
  'POST /v1/webhook-endpoints/{}/verify': 'M',
  'POST /v1/webhook-endpoints/{}/rotate-secret': 'M',
  'GET /v1/webhook-deliveries': 'M',
  'POST /v1/webhook-deliveries/{}/redeliver': 'M',
  'POST /v1/api-keys': 'M S',
  'GET /v1/api-keys': 'M S',
  'DELETE /v1/api-keys/{}': 'M S',
  'POST /v1/admin-sessions': 'M',
  'DELETE /v1/admin-sessions/current': 'S',
  'POST /v1/agent-payments': 'K S W M',
  'GET /v1/agent-payments': 'K S W M',
  'GET /v1/agent-payments/{}': 'K S W M',
  'POST /v1/agent-payments/{}/cancel': 'K S M',
  'POST /v1/agent-payments/{}/status': 'W',
  'POST /v1/automation-policies': 'K S W M',
  'GET /v1/automation-policies': 'K S W M',
  'GET /v1/automation-policies/{}': 'K S W M',
  'PATCH /v1/automation-policies/{}': 'S W M',
  'DELETE /v1/automation-policies/{}': 'W S M',
  'POST /v1/automation-policies/{}/opt-in': 'W',
  'POST /v1/automation-policies/{}/pause': 'W S M',
  'POST /v1/automation-policies/{}/resume': 'W',
  'POST /v1/automation-policies/{}/evaluate': 'K',
};
const LETTERS: Record<string, CredentialKind> = {
  M: 'merchant',
  A: 'agent',
  CT: 'claim',
  C: 'connection',
  W: 'wallet',
  K: 'api_key',
  S: 'admin',
};

const rowOf = (route: Route) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`;
const routes = allRoutes();
const has = (row: string) => routes.some((route) => rowOf(route) === row);

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
let device: TestDevice;
/** One valid credential of each kind that the service can issue so far. */
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
  if (has('POST /v1/api-keys')) {
    const body = { name: 'Matrix', agent_id: agent.agentId };
    const made = await service.call('POST', '/v1/api-keys', { session, body });
    valid.set('api_key', { apiKey: made.body.api_key });
  }
  if (has('POST /v1/admin-sessions')) {
    const made = await service.call('POST', '/v1/admin-sessions', { session });
    valid.set('admin', { bearer: made.body.session_token });
  }
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
function strays(route: Route): Record<string, Sent> {
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

function knock(route: Route, sent: Sent): Promise<Received> {
  const path = route.path.replace(/\{\w+\}/g, 'unknown');
  const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: {} };
  return service.call(route.method, path, { ...body, ...sent });
}

const verdict = ({ status, body }: Received) => `${status} ${body?.error?.code ?? 'ok'}`;

const signsOut = (route: Route) => route.method === 'DELETE' && !route.path.includes('{');

/** Signing out ends the credential, so each such call gets one of its own. */
async function fresh(kind: CredentialKind, route: Route): Promise<Sent> {
  const known = valid.get(kind) ?? {};
  if (!signsOut(route)) return known;
  const session = await signIn(service, merchant.email);
  if (kind === 'merchant') return { session };
  if (kind === 'admin') {
    const made = await service.call('POST', '/v1/admin-sessions', { session });
    return { bearer: made.body.session_token };
  }
  return known;
}

describe('the credential matrix', () => {
  it('is the one of the contract: no call accepts more or less', () => {
    const declared = Object.fromEntries(routes.map((route) => [rowOf(route), [...route.credential].sort()]));
    const promised = Object.fromEntries(
      routes.map((route) => {
        const letters = CONTRACT[rowOf(route)];
        const kinds = letters?.split(' ').flatMap((letter) => LETTERS[letter] ?? []);
        return [rowOf(route), kinds?.sort() ?? 'not in the contract'];
      }),
    );
    expect(declared).toEqual(promised);
  });

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

  it('a wrong bearer is never rescued by a right credential beside it', async () => {
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
