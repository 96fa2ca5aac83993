import {
  decodeBase64Url,
  encodeBase64Url,
  equalBaseUrls,
  parseCredentialChallenge,
  sha256Hex,
} from '@payassent/protocol';
import type { AgentKey } from './agent-key.ts';

/** The values that a challenge must contain before the key signs it. */
export interface ExpectedProof {
  /** The service's base URL. */
  baseUrl: string;
  /** The agent whose key it is. */
  agentId: string;
  /** The credential, when it is already known. */
  credentialId?: string;
  /** The name under which the key is registered. */
  kid: string;
}

/**
 * Signs the proof challenge of a credential, after checking that it is one: for this service, this agent, this `kid`
 * and this very key. So no one can obtain another signature of the key by presenting it as a challenge.
 */
export async function signCredentialChallenge(
  challenge: string,
  key: AgentKey,
  expected: ExpectedProof,
): Promise<string> {
  const stated = parseCredentialChallenge(challenge);
  const publicKey = decodeBase64Url(key.publicKey);
  if (!stated || !publicKey) throw new TypeError('This is not a credential proof challenge');
  const differs =
    (!equalBaseUrls(expected.baseUrl).includes(stated.baseUrl.replace(/\/$/, '')) && 'another service') ||
    (stated.agentId !== expected.agentId && 'another agent') ||
    (expected.credentialId !== undefined &&
      stated.credentialId !== expected.credentialId &&
      'another credential') ||
    (stated.kid !== expected.kid && 'another kid') ||
    (stated.publicKeySha256 !== sha256Hex(publicKey) && 'another key');
  if (differs) throw new TypeError(`The challenge is not signed: it speaks of ${differs}`);
  return encodeBase64Url(await key.sign(new TextEncoder().encode(challenge)));
}
