/** As much of CBOR (RFC 8949) as a Byron address uses, read strictly: shortest lengths only, nothing indefinite. */
interface CborHead {
  readonly major: number;
  readonly value: number;
  readonly next: number;
}

export const CBOR_UNSIGNED = 0;
const CBOR_BYTES = 2;
export const CBOR_ARRAY = 4;
export const CBOR_MAP = 5;
export const CBOR_TAG = 6;

/** Undefined when the bytes end early or the number is not in its shortest form. */
export function readCborHead(bytes: Uint8Array, offset: number): CborHead | undefined {
  const initial = bytes[offset];
  if (initial === undefined) return undefined;
  const major = initial >> 5;
  const information = initial & 31;
  if (information < 24) return { major, value: information, next: offset + 1 };
  if (information > 26) return undefined;
  const width = 1 << (information - 24);
  const next = offset + 1 + width;
  if (next > bytes.length) return undefined;
  let value = 0;
  for (let index = offset + 1; index < next; index += 1) value = value * 256 + (bytes[index] ?? 0);
  const smallest = information === 24 ? 24 : information === 25 ? 0x100 : 0x10000;
  return value < smallest ? undefined : { major, value, next };
}

/** The content of a byte string at `offset`. */
export function readCborBytes(
  bytes: Uint8Array,
  offset: number,
): { content: Uint8Array; next: number } | undefined {
  const head = readCborHead(bytes, offset);
  if (head?.major !== CBOR_BYTES || head.next + head.value > bytes.length) return undefined;
  const next = head.next + head.value;
  return { content: bytes.subarray(head.next, next), next };
}
