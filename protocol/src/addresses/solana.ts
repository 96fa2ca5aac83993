import { readBase58 } from './base58check.ts';
import { checker, refuse } from './checker.ts';

const ADDRESS_BYTES = 32;
const SECRET_KEY_BYTES = 64;
const LONGEST_TEXT = 88;

/** Solana: 32 bytes in base58. The format has no checksum, so only alphabet and length can be checked. */
export const checkSolanaAddress = checker((text) => {
  if (text.length > LONGEST_TEXT)
    refuse(`A Solana address has 32 to 44 characters; this has ${text.length}.`);
  const payload = readBase58(text);
  if (payload.length === SECRET_KEY_BYTES)
    refuse(
      'This has the length of a secret key or a signature, not of an address. A secret key must never be shown to anyone: if it is one, move its funds.',
    );
  if (payload.length !== ADDRESS_BYTES)
    refuse(`A Solana address holds ${ADDRESS_BYTES} bytes; this holds ${payload.length}. Copy it whole.`);
  return text;
});
