import { decodeBase58Check, encodeBase58Check } from './base58check.ts';
import { createBitcoinLikeChecker } from './bitcoin-like.ts';
import { type AddressChecker, refused } from './result.ts';

const OLD_SCRIPT_HASH = 5;
const SCRIPT_HASH = 50;
const PAYLOAD_BYTES = 21;

/**
 * Litecoin mainnet: P2PKH (L…), P2SH (M…), native segregated witness (ltc1…). Litecoin still reads the old P2SH form
 * (3…), which is a Bitcoin address to everybody else: it is refused, and the refusal names its M… twin.
 */
export const checkLitecoinAddress: AddressChecker = (text) => {
  const twin = litecoinTwinOf(text);
  if (twin === undefined) return checkPresentForms(text);
  return refused(
    `This form is also a Bitcoin address. If it is meant for Litecoin, enter it in its present form: ${twin}`,
  );
};

/** The M… form of an old script address, which Litecoin shares with Bitcoin; undefined for everything else. */
export function litecoinTwinOf(text: string): string | undefined {
  const decoding = text.startsWith('3') ? decodeBase58Check(text) : undefined;
  if (!decoding?.ok || decoding.payload.length !== PAYLOAD_BYTES || decoding.payload[0] !== OLD_SCRIPT_HASH)
    return undefined;
  return encodeBase58Check(Uint8Array.of(SCRIPT_HASH, ...decoding.payload.subarray(1)));
}

const checkPresentForms = createBitcoinLikeChecker({
  coin: 'Litecoin',
  form: 'one that begins with L, M or ltc1',
  versions: new Set([48, SCRIPT_HASH]),
  segwitPrefix: 'ltc',
});
