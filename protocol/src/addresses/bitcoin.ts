import { createBitcoinLikeChecker } from './bitcoin-like.ts';

/** Bitcoin mainnet: P2PKH (1…), P2SH (3…), and native segregated witness including taproot (bc1…). */
export const checkBitcoinAddress = createBitcoinLikeChecker({
  coin: 'Bitcoin',
  form: 'one that begins with 1, 3 or bc1',
  versions: new Set([0, 5]),
  segwitPrefix: 'bc',
});
