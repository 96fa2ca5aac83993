// Slow: tries every call with every combination of scopes.

import { provedCredential, type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  ANY_SENDER,
  agentToken,
  deviceOf,
  enrolDevice,
  type TestDevice,
} from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { SCOPES, type Scope } from '@payassent/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import type { PublishedRoute } from '../../http/route.ts';
import { publishedRoutes } from '../../http/route.ts';
import { hashSecret } from '../../lib/keys.ts';
import { authenticateConnection } from './index.ts';

let service: TestService;
let merchant: TestMerchant;
let device: TestDevice;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  device = await enrolDevice(service);
});
afterAll(() => service.close());

/** What merchant and customer allow now, tracked independently of the service and compared with it after every step. */
interface Model {
  agent: TestAgent;
  kid: string;
  credentialId: string | undefined;
  version: number;
  status: 'active' | 'suspended';
  allowed: readonly Scope[];
  connections: { id: string; token: string; approved: readonly Scope[]; superseded: string[] }[];
}

type Step =
  | { kind: 'allow'; scopes: Scope[] }
  | { kind: 'suspend' }
  | { kind: 'resume' }
  | { kind: 'end key' }
  | { kind: 'new key' }
  | { kind: 'connect'; requested: Scope[]; approved: Scope[] }
  | { kind: 'rotate'; index: number };

const someScopes = fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('allow' as const), scopes: someScopes }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'suspend' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'resume' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'end key' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'new key' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('connect' as const),
      requested: someScopes,
      approved: someScopes,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rotate' as const), index: fc.nat(5) }) },
);

const isUsable = (model: Model) => model.status === 'active' && model.credentialId !== undefined;
const isSubset = (some: readonly Scope[], all: readonly Scope[]) =>
  some.every((scope) => all.includes(scope));

async function change(model: Model, body: object): Promise<void> {
  const path = `/v1/agents/${model.agent.agentId}`;
  const { session } = merchant;
  const {
    status,
    text,
    body: answer,
  } = await service.call('PATCH', path, {
    session,
    body: { ...body, version: model.version },
  });
  if (status !== 200) throw new Error(text);
  model.version = answer.agent.version;
}

async function take(model: Model, step: Step): Promise<void> {
  const credentials = `/v1/agents/${model.agent.agentId}/credentials`;
  switch (step.kind) {
    case 'allow':
      await change(model, { allowed_scopes: step.scopes });
      model.allowed = step.scopes;
      return;
    case 'suspend':
    case 'resume': {
      const status = step.kind === 'suspend' ? 'suspended' : 'active';
      if (status !== model.status) await change(model, { status });
      model.status = status;
      return;
    }
    case 'end key':
      if (model.credentialId === undefined) return;
      await service.call('DELETE', `${credentials}/${model.credentialId}`, { session: merchant.session });
      model.credentialId = undefined;
      return;
    case 'new key': {
      if (model.credentialId !== undefined) return;
      model.kid = `${model.kid}+`;
      const key = await provedCredential(service, merchant.session, model.agent.agentId, model.kid);
      model.credentialId = key.credentialId;
      model.agent = { ...model.agent, kid: model.kid, ...key };
      return;
    }
    case 'connect':
      return isUsable(model) ? connectWith(model, step.requested, step.approved) : undefined;
    case 'rotate': {
      const connection = model.connections[step.index];
      if (!connection) return;
      const path = `/v1/connections/${connection.id}/rotate-token`;
      const { body } = await service.call('POST', path, { device: deviceOf(device) });
      connection.superseded.push(connection.token);
      connection.token = body.connection_token;
    }
  }
}

/** Rejected where a party requests more than the previous one allowed; a rejected step has no effect. */
async function connectWith(model: Model, requested: Scope[], approved: Scope[]): Promise<void> {
  const key = (await service.call('POST', '/v1/connect-keys', { device: deviceOf(device) })).body.connect_key;
  const bearer = await agentToken(service, model.agent);
  const claimed = await service.call('POST', '/v1/connect-invitations/claim', {
    bearer,
    body: { connect_key: key, requested_scopes: requested },
  });
  expect(claimed.status).toBe(isSubset(requested, model.allowed) ? 201 : 403);
  if (claimed.status !== 201) return;
  const path = `/v1/connect-invitations/${claimed.body.connect_invitation.connect_invitation_id}`;
  const decided = await service.call('POST', `${path}/approve`, {
    device: deviceOf(device),
    body: { scopes: approved },
  });
  expect(decided.status).toBe(isSubset(approved, requested) ? 200 : 400);
  const exchanged = await service.call('POST', `${path}/exchange`, { bearer: claimed.body.claim_token });
  expect(exchanged.status).toBe(decided.status === 200 ? 200 : 409);
  if (exchanged.status !== 200) return;
  const { connection, connection_token: token } = exchanged.body;
  expect(connection.scopes).toEqual(approved);
  model.connections.push({ id: connection.connection_id, token, approved, superseded: [] });
}

const scopedRoutes = publishedRoutes().filter(
  (route) => route.scope && route.credential.includes('connection'),
);

/** Calls every route that needs a scope: 403 or past that check, never the other way round. */
async function knock(route: PublishedRoute, token: string): Promise<boolean | string> {
  const path = route.path.replace(/\{\w+\}/g, 'unknown');
  const { status, body } = await service.call(route.method, path, {
    bearer: token,
    ...(route.method === 'GET' ? {} : { body: {} }),
  });
  const code = (body.error?.code ?? 'ok') as string;
  if (status === 401 || (status === 403 && code !== 'insufficient_scope')) return code;
  return status !== 403;
}

async function check(model: Model): Promise<void> {
  for (const { token, approved, superseded } of model.connections) {
    const effective = approved.filter((scope) => model.allowed.includes(scope));
    const seen = await authenticateConnection(
      service.context,
      { kind: 'connection', token, tokenHash: hashSecret(token) },
      service.clock.now(),
      ANY_SENDER,
    ).then(
      (principal) => [...principal.scopes].sort(),
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
    expect(seen).toEqual(isUsable(model) ? [...effective].sort() : 'agent_not_active');
    for (const route of scopedRoutes) {
      // A token that the wallet has rotated is shared, and shows no payee.
      const isShut = superseded.length > 0 && route.path.startsWith('/v1/payees');
      const expected = isUsable(model)
        ? effective.includes(route.scope ?? 'payment.requests.read') && !isShut
        : 'agent_not_active';
      expect(await knock(route, token), `${route.method} ${route.path}`).toBe(expected);
      for (const old of superseded) expect(await knock(route, old)).toBe('token_rotated');
    }
  }
}

describe('scopes', () => {
  it('no call passes with a scope that agent, customer and merchant do not all allow at that moment', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 12 }), async (steps) => {
        const agent = await usableAgent(service, merchant);
        const model: Model = {
          agent,
          kid: agent.kid,
          credentialId: agent.credentialId,
          version: agent.version,
          status: 'active',
          allowed: agent.allowedScopes,
          connections: [],
        };
        await take(model, { kind: 'connect', requested: [...SCOPES], approved: [...SCOPES] });
        for (const step of steps) {
          await take(model, step);
          await check(model);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
