import { createBitcoinLikeChecker } from './bitcoin-like.ts';

const OLD_SCRIPT_HASH = 5;
const SCRIPT_HASH = 50;

/**
 * Litecoin mainnet: P2PKH (L…), P2SH (M…), native segregated witness (ltc1…). Litecoin still reads the old P2SH form
 * (3…), which looks exactly like a Bitcoin address; it is accepted and stored as its M… twin, so that what is
 * pinned can never be mistaken for Bitcoin.
 */
export const checkLitecoinAddress = createBitcoinLikeChecker({
  coin: 'Litecoin',
  form: 'one that begins with L, M or ltc1',
  versions: new Map([
    [48, 48],
    [SCRIPT_HASH, SCRIPT_HASH],
    [OLD_SCRIPT_HASH, SCRIPT_HASH],
  ]),
  segwitPrefix: 'ltc',
});
