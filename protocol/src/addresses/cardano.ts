import { readByron } from './cardano-byron.ts';
import { attempt, checker, refuse } from './checker.ts';
import { readLongBech32 } from './long-bech32.ts';

const MAINNET = 1;
const HASH_LENGTH = 28;
const LONGEST_TEXT = 140;
/** Highest slot, transaction index and certificate index that the ledger decodes in a pointer. */
const POINTER_LIMITS = [0xffffffff, 0xffff, 0xffff] as const;

/**
 * Cardano mainnet: Shelley addresses (addr1…, CIP-19 types 0 to 7) and Byron addresses (base58). Stake addresses
 * (stake1…) are refused: a transaction output cannot go to them.
 */
export const checkCardanoAddress = checker((text) => {
  const prefix = /^([a-z_]+)1/i.exec(text)?.[1]?.toLowerCase();
  if (prefix === 'addr') return readShelley(text);
  if (prefix === 'stake')
    refuse(
      'This is a stake address, to which ada cannot be sent; enter the payment address of the same wallet (addr1…).',
    );
  if (prefix === 'addr_test' || prefix === 'stake_test')
    refuse('This is an address of a Cardano testnet; a mainnet address begins with addr1.');
  if (/^(Ae2|DdzFF|37bt|2657W)/.test(text)) return readByron(text);
  const byron = attempt(() => readByron(text));
  return (
    byron ?? refuse('A Cardano address begins with addr1, or with Ae2 or DdzFF if it is from the Byron era.')
  );
});

function readShelley(text: string): string {
  if (text.length > LONGEST_TEXT)
    refuse(`The address has ${text.length} characters; an addr1 address has at most 103.`);
  const { bytes, canonical } = readLongBech32(text);
  const [header = 0] = bytes;
  const network = header & 15;
  if (network !== MAINNET) {
    const name = network === 0 ? 'a testnet' : `network ${network}`;
    refuse(`The address begins with addr1 but names ${name} inside; a mainnet address is needed.`);
  }
  judgeStructure(header >> 4, bytes);
  return canonical;
}

function judgeStructure(type: number, bytes: Uint8Array): void {
  if (type > 7) refuse(`Addresses of type ${type} are not written with addr1.`);
  if (type === 4 || type === 5) {
    if (!isPointerAt(bytes, 1 + HASH_LENGTH)) refuse('The pointer inside the address is malformed.');
    return;
  }
  const expected = type < 4 ? 1 + 2 * HASH_LENGTH : 1 + HASH_LENGTH;
  if (bytes.length !== expected)
    refuse(`An address of type ${type} holds ${expected} bytes; this holds ${bytes.length}. Copy it whole.`);
}

/** Three numbers of seven bits a byte, most significant first, each in its shortest form, then nothing more. */
function isPointerAt(bytes: Uint8Array, start: number): boolean {
  let offset = start;
  for (const limit of POINTER_LIMITS) {
    if (bytes[offset] === 0x80) return false;
    let value = 0;
    let byte = 0x80;
    while ((byte & 0x80) !== 0) {
      const current = bytes[offset];
      if (current === undefined) return false;
      byte = current;
      value = value * 128 + (byte & 0x7f);
      if (value > limit) return false;
      offset += 1;
    }
  }
  return offset === bytes.length;
}
