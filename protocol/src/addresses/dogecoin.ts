import { createBitcoinLikeChecker } from './bitcoin-like.ts';

/** Dogecoin mainnet: P2PKH (D…) and P2SH (9… or A…); Dogecoin has no segregated witness. */
export const checkDogecoinAddress = createBitcoinLikeChecker({
  coin: 'Dogecoin',
  form: 'one that begins with D, 9 or A',
  versions: new Set([30, 22]),
});
