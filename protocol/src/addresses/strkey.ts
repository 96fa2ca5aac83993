import { base32nopad } from '@scure/base';
import { crc16Xmodem } from './crc.ts';

/** The first byte says what a StrKey (SEP-23) is, and with that its first letter: G, M and S. */
export const STRKEY_VERSIONS = { account: 6 << 3, muxed: 12 << 3, seed: 18 << 3 } as const;
type StrKeyKind = keyof typeof STRKEY_VERSIONS;

const CHECKSUM_BYTES = 2;

export function encodeStrKey(kind: StrKeyKind, payload: Uint8Array): string {
  const bytes = new Uint8Array(1 + payload.length + CHECKSUM_BYTES);
  bytes[0] = STRKEY_VERSIONS[kind];
  bytes.set(payload, 1);
  const checksum = crc16Xmodem(bytes, 0, bytes.length - CHECKSUM_BYTES);
  bytes.set([checksum & 0xff, checksum >> 8], bytes.length - CHECKSUM_BYTES);
  return base32nopad.encode(bytes);
}

/** What is inside, or nothing when the text is not exactly what `encodeStrKey` would write. */
export function decodeStrKey(kind: StrKeyKind, text: string): Uint8Array | undefined {
  try {
    const payload = base32nopad.decode(text).slice(1, -CHECKSUM_BYTES);
    return encodeStrKey(kind, payload) === text ? payload : undefined;
  } catch {
    return undefined;
  }
}
