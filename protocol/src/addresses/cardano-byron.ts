import { readBase58 } from './base58check.ts';
import { refuse } from './checker.ts';
import { crc32 } from './crc.ts';

const LONGEST_TEXT = 140;
const ROOT_LENGTH = 28;
const ENCODED_CBOR_TAG = 24;
const DERIVATION_PATH_ATTRIBUTE = 1;
const NETWORK_ATTRIBUTE = 2;
/** 0: public key, 2: redemption of the first sale. 1 (script) was never used. */
const ADDRESS_TYPES: readonly number[] = [0, 2];

/** Byron address: base58 of CBOR `[24(payload), crc32(payload)]` (CIP-19). */
export function readByron(text: string): string {
  if (text.length > LONGEST_TEXT)
    refuse(`The address has ${text.length} characters; a Byron address has 59 or about 104.`);
  const outer = new Cbor(readBase58(text));
  outer.need('array', 2);
  outer.need('tag', ENCODED_CBOR_TAG);
  const payload = outer.bytes();
  const checksum = outer.need('unsigned');
  outer.end();
  if (crc32(payload) !== checksum)
    refuse('The checksum does not match: a character is wrong. Copy the address again.');
  judgePayload(new Cbor(payload));
  return text;
}

function judgePayload(payload: Cbor): void {
  payload.need('array', 3);
  if (payload.bytes().length !== ROOT_LENGTH) malformed();
  const attributes = payload.need('map');
  if (attributes > 2) malformed();
  const keys: number[] = [];
  for (let entry = 0; entry < attributes; entry += 1) {
    keys.push(payload.need('unsigned'));
    payload.bytes();
  }
  if (keys.includes(NETWORK_ATTRIBUTE))
    refuse('This is a Byron address of a Cardano testnet; enter a mainnet address (addr1…).');
  if (keys.some((key) => key !== DERIVATION_PATH_ATTRIBUTE)) malformed();
  const type = payload.need('unsigned');
  payload.end();
  if (!ADDRESS_TYPES.includes(type)) refuse(`Byron addresses of type ${type} cannot be paid.`);
}

function malformed(): never {
  refuse('This is base58 text but not a Byron address; a character is wrong, missing or added.');
}

const MAJOR = { unsigned: 0, bytes: 2, array: 4, map: 5, tag: 6 } as const;

/** As much of CBOR (RFC 8949) as a Byron address uses, read strictly: shortest lengths only, nothing indefinite. */
class Cbor {
  readonly #data: Uint8Array;
  #at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** The number in the head of the next item, which must be of this kind; and this number, where one is given. */
  need(kind: keyof typeof MAJOR, wanted?: number): number {
    const initial = this.#next();
    const information = initial & 31;
    if (initial >> 5 !== MAJOR[kind] || information > 26) malformed();
    let value = information;
    if (information >= 24) {
      value = 0;
      for (let width = 1 << (information - 24); width > 0; width -= 1) value = value * 256 + this.#next();
      if (value < (information === 24 ? 24 : information === 25 ? 0x100 : 0x10000)) malformed();
    }
    if (wanted !== undefined && value !== wanted) malformed();
    return value;
  }

  bytes(): Uint8Array {
    const length = this.need('bytes');
    const content = this.#data.subarray(this.#at, this.#at + length);
    if (content.length !== length) malformed();
    this.#at += length;
    return content;
  }

  end(): void {
    if (this.#at !== this.#data.length) malformed();
  }

  #next(): number {
    const byte = this.#data[this.#at];
    this.#at += 1;
    return byte ?? malformed();
  }
}
