import { sha256Hex } from '../digests.ts';
import { canonicalJson } from '../encoding/canonical-json.ts';

/** What a device signs its decisions with. All binary members are base64url without padding. */
export interface Ed25519DecisionKey {
  alg: 'Ed25519';
  public_key: string;
}

export interface WebauthnDecisionKey {
  alg: 'webauthn';
  credential_id: string;
  /** A COSE key: ES256 or EdDSA. */
  public_key: string;
  rp_id: string;
  origin: string;
}

export type DecisionKey = Ed25519DecisionKey | WebauthnDecisionKey;
const DECISION_ALGORITHMS = ['Ed25519', 'webauthn'] as const;
export type DecisionAlgorithm = (typeof DECISION_ALGORITHMS)[number];

/** `sha256:` and hex over RFC 8785 of the key object. */
export function decisionKeyThumbprint(key: DecisionKey): string {
  return `sha256:${sha256Hex(canonicalJson(key))}`;
}

/** What a new key signs to show that its device holds it, and another device's key to vouch for it. */
export function decisionKeyText(baseUrl: string, deviceId: string, thumbprint: string): string {
  return `svc-decision-key:v1:${baseUrl}:${deviceId}:${thumbprint}`;
}
