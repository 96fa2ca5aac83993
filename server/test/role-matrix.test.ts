import {
  mailedToken,
  outcome,
  succeed,
  type TestMerchant,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { enterWithLink, joinedOperator, type TestOperator } from '@payassent/proof/people/operators';
import type { Received, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { OPERATOR_ROLES, type OperatorRole } from '@payassent/protocol';
import { AUTHORITY, authorityKey, hasRole, isMutation } from '@payassent/protocol/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatedFiles } from '../src/generate/index.ts';
import { type PublishedRoute, publishedRoutes } from '../src/http/route.ts';

/** What each role may do, in the words of the contract. Everything else is the owner's. */
const DEVELOPS = /^\/v1\/(agents|api-keys|admin-sessions|webhook-endpoints|webhook-deliveries|connections)\b/;
const SECOND_SURFACE = /^\/v1\/(agent-payments|automation-policies)\b/;
const OWN_SIGN_IN = /^\/v1\/(merchant-sessions|merchant-passkeys|admin-sessions\/current)\b/;

function roleInContract({ method, path }: PublishedRoute): OperatorRole {
  if (path.endsWith('/confirm')) return 'owner';
  if (method === 'GET' || OWN_SIGN_IN.test(path)) return 'viewer';
  return DEVELOPS.test(path) || SECOND_SURFACE.test(path) ? 'developer' : 'owner';
}

const takes = (route: PublishedRoute, kind: 'merchant' | 'admin') => route.credential.includes(kind);
const routes = publishedRoutes().filter((route) => takes(route, 'merchant') || takes(route, 'admin'));

let service: TestService;
let owner: TestMerchant;
const operators = new Map<OperatorRole, TestOperator>();
/** Made while the operator was a developer: the role counts that one has now. */
const bearers = new Map<OperatorRole, string>();

beforeAll(async () => {
  service = await startService();
  owner = await verifiedMerchant(service);
  for (const role of OPERATOR_ROLES) {
    const operator = await joinedOperator(service, owner, role === 'viewer' ? 'developer' : role);
    operators.set(role, operator);
    const made = await succeed(service.call('POST', '/v1/admin-sessions', { session: operator.session }));
    bearers.set(role, made.body.session_token);
    const path = `/v1/merchant-operators/${operator.operatorId}`;
    if (role === 'viewer')
      await succeed(service.call('PATCH', path, { session: owner.session, body: { role } }));
  }
});
afterAll(() => service.close());

function knock(route: PublishedRoute, sent: Sent): Promise<Received> {
  const path = route.path.replace(/\{\w+\}/g, 'unknown');
  const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: {} };
  return service.call(route.method, path, { ...body, ...sent });
}

const signsOut = ({ method, path }: PublishedRoute) =>
  method === 'DELETE' && OWN_SIGN_IN.test(path) && !path.includes('{');

/** A call that signs out gets a fresh credential. */
async function credentialOf(
  role: OperatorRole,
  kind: 'merchant' | 'admin',
  route: PublishedRoute,
): Promise<Sent> {
  const operator = operators.get(role) as TestOperator;
  if (kind === 'admin') return { bearer: bearers.get(role) ?? '' };
  if (!signsOut(route)) return { session: operator.session };
  return { session: await enterWithLink(service, await mailedToken(service, operator.email), owner.name) };
}

describe('every call of a team member, with every role', () => {
  it('is in the table, and the table agrees with the contract', () => {
    const changes = routes.filter((route) => isMutation(route.method));
    expect(changes.map((route) => authorityKey(route)).sort()).toEqual(Object.keys(AUTHORITY).sort());
    const wrong = routes.filter((route) => route.authority?.role !== roleInContract(route));
    expect(wrong.map((route) => authorityKey(route))).toEqual([]);
  });

  // Those that sign out come last: they would end what the others need.
  const rank = (route: PublishedRoute) => (signsOut(route) ? 1 + Number(takes(route, 'merchant')) : 0);
  const rows = [...routes].sort((a, b) => rank(a) - rank(b));
  it.each(rows.map((route) => [authorityKey(route), route] as const))('%s', async (_name, route) => {
    for (const role of OPERATOR_ROLES) {
      for (const kind of ['merchant', 'admin'] as const) {
        if (!takes(route, kind)) continue;
        const received = await knock(route, await credentialOf(role, kind, route));
        const allowed = hasRole(role, route.authority?.role ?? 'owner');
        const said = `${role} with ${kind}: ${outcome(received)}`;
        if (allowed) {
          expect(said).not.toMatch(/ 403 insufficient_role| 401 /);
          continue;
        }
        expect(said).toBe(`${role} with ${kind}: 403 insufficient_role`);
        expect(received.body.error.details.required_role).toBe(route.authority?.role);
      }
    }
  });

  it('is published: in the OpenAPI document and as a page', () => {
    const files = generatedFiles();
    const document = JSON.parse(files['openapi.json'] ?? '') as {
      paths: Record<string, Record<string, { 'x-required-role'?: string }>>;
    };
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      expect(operation?.['x-required-role'], authorityKey(route)).toBe(route.authority?.role);
      const line = files['docs/ROLES.md']
        ?.split('\n')
        .find((text) => text.includes(`\`${route.method} ${route.path}\``));
      const yes = OPERATOR_ROLES.map((role) =>
        hasRole(role, route.authority?.role ?? 'owner') ? 'yes' : '',
      );
      expect(line, authorityKey(route)).toContain(`| ${yes.join(' | ')} |`);
    }
  });
});
