import { decodeStrKey, encodeStrKey } from '@payassent/protocol';

/** A key of the test network that lives in this browser. It signs nothing of value, and is lost with the browser's data. */
export interface TestKey {
  /** G… */
  address: string;
  privateKey: CryptoKey;
}

const ALGORITHM = 'Ed25519';
/** PKCS #8 around the 32 bytes of an Ed25519 seed (RFC 8410): the same for every key. */
const PKCS8_PREFIX = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
]);

export async function generateTestKey(): Promise<TestKey> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return { address: encodeStrKey('account', raw), privateKey: pair.privateKey };
}

export class NotASeedError extends Error {}

/** Takes a secret seed (S…) of the test network, as other wallets export it. */
export async function importTestKey(seedText: string): Promise<TestKey> {
  const seed = decodeStrKey('seed', seedText.trim());
  if (seed?.length !== 32) throw new NotASeedError('A secret seed begins with S and has 56 characters.');
  const privateKey = await privateKeyFrom(new Uint8Array([...PKCS8_PREFIX, ...seed]));
  return { address: encodeStrKey('account', await publicKeyOf(privateKey)), privateKey };
}

/** The seed, for the person to keep. It is made on request and never stored as text. */
export async function exportTestKey({ privateKey }: TestKey): Promise<string> {
  const pkcs8 = new Uint8Array(await privateKeyOf(privateKey));
  return encodeStrKey('seed', pkcs8.slice(PKCS8_PREFIX.length, PKCS8_PREFIX.length + 32));
}

export function privateKeyFrom(pkcs8: BufferSource): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']);
}

export function privateKeyOf(privateKey: CryptoKey): Promise<ArrayBuffer> {
  return crypto.subtle.exportKey('pkcs8', privateKey);
}

export async function signWithTestKey(key: TestKey, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM, key.privateKey, message));
}

async function publicKeyOf(privateKey: CryptoKey): Promise<Uint8Array> {
  const { x } = await crypto.subtle.exportKey('jwk', privateKey);
  const base64 = (x ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
