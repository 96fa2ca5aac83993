import { describeAddressFamily } from '../../test/address-vectors.ts';
import { encodeRippleBase58Check } from './base58check.ts';
import { checkXrplAddress } from './xrpl.ts';

// Source: XRPLF/xrpl.js, packages/ripple-address-codec/test/index.test.ts and xrp-codec.test.ts.
describeAddressFamily({
  family: 'XRP Ledger classic addresses',
  check: checkXrplAddress,
  valid: [
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
    'rLczgQHxPhWtjkaQqn3Q6UM8AbRbbRvs5K',
    'rJrRMgiRgrU6hDF4pgu5DXQdWyPbY35ErN',
    'rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1',
    'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD',
    'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY',
    // The special addresses ACCOUNT_ZERO and ACCOUNT_ONE of the XRP Ledger documentation: many leading zeros.
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
    'rrrrrrrrrrrrrrrrrrrrBZbvji',
  ],
  invalid: [
    ['rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw2', /checksum/],
    ['rnaC7gW34M77Kneb78s', /25 to 35 characters; this has 19/],
    ['XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb', /rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf without a memo/],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A', /r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59 .*tag 11747 /],
    ['XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi', /tag 4294967295 /],
    ['T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ', /testnet/],
    ['XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXa', /checksum/],
    ['XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8zeUygYrCgrPh', /unknown kind/],
    ['sn259rEFXrQrWyx3Q7XneWcwV6dfL', /secret seed/],
    ['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', /secret seed/],
    ['n9MXXueo837zYH36DvMc13BwHcqtfAWNJY5czWVbp7uYTj7x17TH', /begins with r/],
    // Computed: 19 bytes instead of 20 behind a right checksum.
    [encodeRippleBase58Check(new Uint8Array(20).fill(7, 1)), /not an account address/],
    ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk5l', /Character 34 \("l"\)/],
  ],
  mutateWith: 'rp1z0',
});
