import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { encodePart, rawPublicKey, signText, type TestAgent } from './agents.ts';
import { succeed, type TestSession } from './merchants.ts';
import type { Callable } from './payees.ts';

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
