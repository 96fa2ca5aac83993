import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts';
import { parseStrictJsonBytes } from '../encoding/strict-json.ts';

/** What assertions and proofs of possession share: the compact form of a signed JSON object (RFC 7515). */

export interface SignedParts {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signingInput: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
}

type CompactFault = 'not_compact_jws' | 'header_not_json' | 'claims_not_json' | 'signature_malformed';

/** Input longer than `maxLength` is not worth decoding. */
export function splitCompact(compact: string, maxLength: number): SignedParts | CompactFault {
  const parts = compact.length > maxLength ? [] : compact.split('.');
  const [encodedHeader, encodedClaims, encodedSignature, ...rest] = parts;
  if (!encodedHeader || !encodedClaims || !encodedSignature || rest.length > 0) return 'not_compact_jws';
  const header = readObject(encodedHeader);
  if (header === undefined) return 'header_not_json';
  const claims = readObject(encodedClaims);
  if (claims === undefined) return 'claims_not_json';
  const signature = decodeBase64Url(encodedSignature);
  if (signature?.length !== 64) return 'signature_malformed';
  const signingInput = new TextEncoder().encode(`${encodedHeader}.${encodedClaims}`);
  return { header, claims, signingInput, signature };
}

export async function signCompact(
  header: object,
  claims: object,
  sign: (signingInput: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  const signed = `${encodeJson(header)}.${encodeJson(claims)}`;
  const signature = await sign(new TextEncoder().encode(signed));
  return `${signed}.${encodeBase64Url(signature)}`;
}

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 320 && [...value].length <= 160;
}

export function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function readObject(encoded: string): Record<string, unknown> | undefined {
  const bytes = decodeBase64Url(encoded);
  const parsed = bytes === undefined ? undefined : parseStrictJsonBytes(bytes, 8);
  if (
    !parsed?.ok ||
    typeof parsed.value !== 'object' ||
    parsed.value === null ||
    Array.isArray(parsed.value)
  ) {
    return undefined;
  }
  return parsed.value as Record<string, unknown>;
}

function encodeJson(value: object): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
