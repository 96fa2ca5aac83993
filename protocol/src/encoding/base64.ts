import { base64, base64nopad, base64url, base64urlnopad } from '@scure/base';

/**
 * Strict base64: exactly one text per value. Decoders differ in what they forgive (spare bits, white space,
 * mixed alphabets), and what one side forgives another may compare, so every decoding is encoded again.
 */
interface Coder {
  encode(bytes: Uint8Array): string;
  decode(text: string): Uint8Array;
}

function decodeWith(coder: Coder, text: string): Uint8Array | undefined {
  try {
    const bytes = coder.decode(text);
    return coder.encode(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes);
}

/** JOSE's form: URL alphabet, no padding. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  return decodeWith(base64urlnopad, text);
}

export function encodeBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Standard alphabet with padding. */
export function decodeBase64(text: string): Uint8Array | undefined {
  return decodeWith(base64, text);
}

/** For keys and signatures that people paste: either alphabet, with or without padding, never mixed. */
export function decodeAnyBase64(text: string): Uint8Array | undefined {
  for (const coder of [base64urlnopad, base64, base64nopad, base64url]) {
    const bytes = decodeWith(coder, text);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}
