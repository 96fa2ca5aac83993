import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { SCOPES, type Scope } from '@payassent/protocol';
import { succeed, type TestSession } from './merchants.ts';
import type { Callable } from './payees.ts';

export interface TestAgent {
  agentId: string;
  credentialId: string;
  kid: string;
  privateKey: KeyObject;
  allowedScopes: Scope[];
  /** Of the agent, as `version` wants it. */
  version: number;
}

interface AgentOverrides {
  name?: string;
  runtime?: string;
  environment?: string;
  allowed_scopes?: Scope[];
  kid?: string;
  not_before?: string;
  expires_at?: string;
  /** `pending` leaves the agent as it is registered. */
  status?: 'pending' | 'active';
}

/** An agent with a proved key and status active, made through the front door. */
export async function usableAgent(
  service: Callable,
  merchant: { session: TestSession },
  overrides: AgentOverrides = {},
): Promise<TestAgent> {
  const { session } = merchant;
  const { kid = `key-${randomUUID()}`, not_before, expires_at, status = 'active', ...stated } = overrides;
  const created = await succeed(
    service.call('POST', '/v1/agents', {
      session,
      body: {
        name: 'Shopping agent',
        runtime: 'node',
        environment: 'test',
        allowed_scopes: [...SCOPES],
        ...stated,
      },
    }),
  );
  const { agent } = created.body;
  const dates = { ...(not_before ? { not_before } : {}), ...(expires_at ? { expires_at } : {}) };
  const key = await provedCredential(service, session, agent.agent_id, kid, dates);
  let { version } = agent;
  if (status === 'active') {
    const path = `/v1/agents/${agent.agent_id}`;
    const body = { status: 'active', version };
    version = (await succeed(service.call('PATCH', path, { session, body }))).body.agent.version;
  }
  return { agentId: agent.agent_id, allowedScopes: agent.allowed_scopes, version, kid, ...key };
}

/** One more key for an agent, registered and proved. */
export async function provedCredential(
  service: Callable,
  session: TestSession,
  agentId: string,
  kid: string,
  dates: { not_before?: string; expires_at?: string } = {},
): Promise<{ credentialId: string; privateKey: KeyObject }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const path = `/v1/agents/${agentId}/credentials`;
  const registered = await succeed(
    service.call('POST', path, {
      session,
      body: { kid, alg: 'Ed25519', public_key: rawPublicKey(publicKey), ...dates },
    }),
  );
  const { credential, proof_challenge } = registered.body;
  const body = { challenge: proof_challenge, signature: signText(proof_challenge, privateKey) };
  await succeed(service.call('POST', `${path}/${credential.credential_id}/activate`, { session, body }));
  return { credentialId: credential.credential_id, privateKey };
}

/** 32 bytes as base64url. */
export function rawPublicKey(publicKey: KeyObject): string {
  return publicKey.export({ format: 'jwk' }).x ?? '';
}

export function signText(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64url');
}

/** What a test bends about an assertion; `undefined` in a claim or header leaves it out. */
export interface AssertionOverrides {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** Defaults to the service's clock. */
  now?: Date;
  privateKey?: KeyObject;
}

/** A fresh assertion of the agent for this service. */
export function signAssertion(
  service: { url: string; clock?: { now(): Date } },
  agent: Pick<TestAgent, 'agentId' | 'kid' | 'privateKey'>,
  overrides: AssertionOverrides = {},
): string {
  const now = overrides.now ?? service.clock?.now() ?? new Date();
  const iat = Math.floor(now.getTime() / 1000);
  const header = { alg: 'EdDSA', typ: 'svc-agent-assertion+jwt', kid: agent.kid, ...overrides.header };
  const claims = {
    iss: agent.agentId,
    sub: agent.agentId,
    aud: service.url,
    iat,
    exp: iat + 120,
    jti: randomUUID(),
    ...overrides.claims,
  };
  const signed = `${encodePart(header)}.${encodePart(claims)}`;
  return `${signed}.${signText(signed, overrides.privateKey ?? agent.privateKey)}`;
}

export function encodePart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A fresh agent token, through the exchange. */
export async function exchangeAssertion(
  service: Callable & { url: string; clock?: { now(): Date } },
  agent: TestAgent,
): Promise<string> {
  const body = { assertion: signAssertion(service, agent) };
  return (await succeed(service.call('POST', '/v1/agent-auth/token', { body }))).body.agent_token;
}

/** What a test bends about a proof; `undefined` in a claim or header leaves it out. */
export interface ProofOverrides {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  privateKey?: KeyObject;
}

/** The header `DPoP` for one call, written by hand after RFC 9449. */
export function signProof(
  service: { url: string; clock?: { now(): Date } },
  agent: Pick<TestAgent, 'privateKey'>,
  call: { method: string; path: string; token: string },
  overrides: ProofOverrides = {},
): { DPoP: string } {
  const privateKey = overrides.privateKey ?? agent.privateKey;
  const now = service.clock?.now() ?? new Date();
  const x = rawPublicKey(createPublicKey(agent.privateKey));
  const header = {
    typ: 'dpop+jwt',
    alg: 'EdDSA',
    jwk: { kty: 'OKP', crv: 'Ed25519', x },
    ...overrides.header,
  };
  const claims = {
    jti: randomUUID(),
    htm: call.method,
    htu: service.url + call.path,
    iat: Math.floor(now.getTime() / 1000),
    ath: createHash('sha256').update(call.token).digest('base64url'),
    ...overrides.claims,
  };
  const signed = `${encodePart(header)}.${encodePart(claims)}`;
  return { DPoP: `${signed}.${signText(signed, privateKey)}` };
}

/** Switches the requirement on or off, on the agent's current version. */
export async function requireProof(
  service: Callable,
  session: TestSession,
  agentId: string,
  isRequired = true,
): Promise<void> {
  const path = `/v1/agents/${agentId}`;
  const { version } = (await succeed(service.call('GET', path, { session }))).body.agent;
  await succeed(service.call('PATCH', path, { session, body: { require_proof: isRequired, version } }));
}
