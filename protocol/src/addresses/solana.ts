import { decodeBase58 } from './base58check.ts';
import { type AddressChecker, accepted, refused } from './result.ts';

const ADDRESS_BYTES = 32;
const SECRET_KEY_BYTES = 64;
const LONGEST_TEXT = 88;

/** Solana: 32 bytes in base58. The format has no checksum, so only alphabet and length can be checked. */
export const checkSolanaAddress: AddressChecker = (text) => {
  if (text.length > LONGEST_TEXT) {
    return refused(`A Solana address has 32 to 44 characters; this has ${text.length}.`);
  }
  const decoding = decodeBase58(text);
  if (!decoding.ok) return refused(decoding.reason);
  if (decoding.payload.length === SECRET_KEY_BYTES) {
    return refused(
      'This has the length of a secret key or a signature, not of an address. A secret key must never be shown to anyone: if it is one, move its funds.',
    );
  }
  if (decoding.payload.length !== ADDRESS_BYTES) {
    return refused(
      `A Solana address holds ${ADDRESS_BYTES} bytes; this holds ${decoding.payload.length}. Copy it whole.`,
    );
  }
  return accepted(text);
};
