import { decodeBase64Url } from '../encoding/base64.ts';
import { pointFault } from '../proofs/ed25519.ts';
import { type CosePublicKey, readCoseKey } from './cose.ts';
import type { DecisionKey, WebauthnDecisionKey } from './key.ts';

export interface KeyFault {
  field: 'public_key' | 'credential_id' | 'rp_id' | 'origin';
  message: string;
}

/** Everything that is wrong with a key, no matter who holds it. */
export function decisionKeyFaults(key: DecisionKey): KeyFault[] {
  if (key.alg === 'Ed25519') {
    const bytes = decodeBase64Url(key.public_key);
    if (bytes?.length !== 32 || pointFault(bytes) !== undefined)
      return [{ field: 'public_key', message: 'expected 32 bytes of an Ed25519 public key as base64url' }];
    return [];
  }
  const faults: KeyFault[] = [];
  const credentialId = decodeBase64Url(key.credential_id);
  if (!credentialId || credentialId.length === 0 || credentialId.length > 1023)
    faults.push({ field: 'credential_id', message: 'expected 1 to 1023 bytes as base64url' });
  if (!coseKeyOf(key))
    faults.push({ field: 'public_key', message: 'expected a COSE key of ES256 or EdDSA as base64url' });
  const host = hostOf(key.origin);
  if (host === undefined)
    faults.push({ field: 'origin', message: 'expected an https origin, or an http one on this machine' });
  else if (host !== key.rp_id && !host.endsWith(`.${key.rp_id}`))
    faults.push({ field: 'rp_id', message: 'expected the host of the origin or a domain above it' });
  return faults;
}

export function coseKeyOf(key: WebauthnDecisionKey): CosePublicKey | undefined {
  const bytes = decodeBase64Url(key.public_key);
  return bytes && readCoseKey(bytes);
}

/** The host of an origin on which browsers offer passkeys at all. */
function hostOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  const isLocal = url.hostname === 'localhost' || /^127\./.test(url.hostname);
  if (url.origin !== origin || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)))
    return undefined;
  return url.hostname;
}
