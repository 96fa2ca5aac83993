import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkSolanaAddress } from './solana.ts';

// Source: solana-labs/solana-web3.js, packages/library-legacy/test/publickey.test.ts.
describeAddressFamily({
  family: 'Solana',
  check: checkSolanaAddress,
  valid: [
    'CiDwVBFgWV9E5MvXWoLgnEgn2hK7rJikbvfWavzAQz3',
    '1111111111111111111111111111BukQL',
    '11111111111111111111111111111111',
    '9h1HyLCW5dZnBVap8C5egQ9Z6pHyjsh5MNy83iPqqRuq',
    '12rqwuEgBYiGhBrDJStCiqEtzQpTTiZbh7teNVLuYcFA',
    'GUs5qLUfsEHkcMB9T38vjr18ypEhRuNWiePW2LoK4E3K',
  ],
  invalid: [
    ['0x300000000000000000000000000000000000000000000000000000000000000000000', /Character 1 \("0"\)/],
    ['0x300000000000000000000000000000000000000000000000000000000000000', /Character 1 \("0"\)/],
    [
      '135693854574979916511997248057056142015550763280047535983739356259273198796800000',
      /Character 28 \("0"\)/,
    ],
    ['12345', /this holds 4/],
    ['CiDwVBFgWV9E5MvXWoLgnEgn2hK7rJikbvfWavzAQ', /this holds/],
    ['111111111111111111111111111111111', /this holds 33/],
    ['1'.repeat(64), /secret key/],
    ['1'.repeat(89), /this has 89/],
  ],
});
