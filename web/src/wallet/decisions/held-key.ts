import { decodeBase64Url, encodeBase64Url } from '@payassent/protocol';
import { webauthnChallenge } from '@payassent/protocol/evidence';
import { type DecisionKey, type KeySignature, keyText, signText } from '@payassent/sdk';
import { askForPasskey, makePasskey } from '../../ui/passkey.ts';

/** A key that signs this device's decisions. A passkey stays in its authenticator; another one is the browser's own object. */
export interface HeldKey {
  key: DecisionKey;
  privateKey?: CryptoKey;
  /** By the key itself, over its thumbprint and the device: kept, so that a person touches the authenticator once. */
  proof: KeySignature;
}

const ALGORITHM = 'Ed25519';
const ES256 = -7;
const ES256_BYTES = 77;
/** Before the id of the credential: hash, flags, counter and model of the authenticator. */
const ID_AT = 53;

/** A key that no script can read; undefined where the browser has no Ed25519. */
export async function makeBrowserKey(deviceId: string): Promise<HeldKey | undefined> {
  const pair = await generate();
  if (pair === undefined) return undefined;
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const key: DecisionKey = { alg: 'Ed25519', public_key: encodeBase64Url(raw) };
  return withProof({ key, privateKey: pair.privateKey }, deviceId);
}

async function generate(): Promise<CryptoKeyPair | undefined> {
  try {
    return (await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])) as CryptoKeyPair;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined;
    throw error;
  }
}

/** Of this page's name. An authenticator keeps one for each owner. */
export function registerPasskey(owner: string, name: string) {
  return makePasskey({
    challenge: encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
    rp: { id: location.hostname, name: 'PayAssent Wallet' },
    user: { id: encodeBase64Url(new TextEncoder().encode(owner)), name, displayName: name },
    pubKeyCredParams: [{ type: 'public-key', alg: ES256 }],
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
  });
}

/** Prompts the customer twice: to create the passkey, and to prove it. */
export async function makePasskeyOf(deviceId: string, deviceName: string): Promise<HeldKey> {
  const { response } = await registerPasskey(deviceId, deviceName);
  const data = decodeBase64Url(response.authenticatorData) ?? new Uint8Array();
  const idLength = new DataView(data.buffer, data.byteOffset).getUint16(ID_AT);
  const keyAt = ID_AT + 2 + idLength;
  const key: DecisionKey = {
    alg: 'webauthn',
    credential_id: encodeBase64Url(data.subarray(ID_AT + 2, keyAt)),
    public_key: encodeBase64Url(data.subarray(keyAt, keyAt + ES256_BYTES)),
    rp_id: location.hostname,
    origin: location.origin,
  };
  return withProof({ key }, deviceId);
}

export async function signWith(
  { key, privateKey }: Omit<HeldKey, 'proof'>,
  text: string,
): Promise<KeySignature> {
  if (key.alg === 'Ed25519') {
    if (privateKey === undefined) throw new TypeError('This browser has lost the key.');
    const sign = async (bytes: Uint8Array) =>
      new Uint8Array(await crypto.subtle.sign(ALGORITHM, privateKey, new Uint8Array(bytes)));
    return { signature: await signText(text, sign) };
  }
  const { response } = await askForPasskey({
    challenge: encodeBase64Url(webauthnChallenge(text)),
    rpId: key.rp_id,
    allowCredentials: [{ type: 'public-key', id: key.credential_id }],
    userVerification: 'required',
  });
  const { authenticatorData, clientDataJSON, signature } = response;
  return {
    webauthn: { authenticator_data: authenticatorData, client_data_json: clientDataJSON, signature },
  };
}

/**
 * Covers the time from the signature to the end of the call that sends it. Assertions of one passkey must arrive in the
 * order in which they were made, over all pages of this browser: the service rejects an assertion with a counter below
 * the last one.
 */
export function inTurn<T>(held: HeldKey | undefined, act: () => Promise<T>): Promise<T> {
  if (held?.key.alg !== 'webauthn') return act();
  return navigator.locks.request(`passkey ${held.key.credential_id}`, act);
}

async function withProof(made: Omit<HeldKey, 'proof'>, deviceId: string): Promise<HeldKey> {
  return { ...made, proof: await signWith(made, keyText(await baseUrl(), deviceId, made.key)) };
}

/** The service's own name for itself: on a local machine the page may be reached under another. */
export async function baseUrl(): Promise<string> {
  const { hostname, origin } = location;
  if (hostname !== 'localhost' && !hostname.startsWith('127.') && hostname !== '[::1]') return origin;
  const answer = await fetch('/web/settings.json');
  const settings = (await answer.json()) as { base_url: string };
  return settings.base_url;
}
