import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkHederaAddress } from './hedera.ts';

// Source: HIP-15 (hashgraph/hedera-improvement-proposal, HIP/hip-15.md), examples for ledger id 0 (mainnet), its list
// of addresses to reject, and its examples for another ledger.
describeAddressFamily({
  family: 'Hedera with a HIP-15 checksum',
  check: checkHederaAddress,
  valid: [
    ['0.0.1-dfkxr', '0.0.1'],
    ['0.0.4-cjcuq', '0.0.4'],
    ['0.0.5-ktach', '0.0.5'],
    ['0.0.6-tcxjy', '0.0.6'],
    ['0.0.12-uuuup', '0.0.12'],
    ['0.0.123-vfmkw', '0.0.123'],
    ['0.0.1234567890-zbhlt', '0.0.1234567890'],
    ['12.345.6789-aoyyt', '12.345.6789'],
    ['1.23.456-adpbr', '1.23.456'],
  ],
  invalid: [
    ['0.0.123-abcde', /checksum/],
    ['0.00.123', /without leading zeros/],
    ['0.0.0123-vfmkw', /without leading zeros/],
    ['0.0.123-VFMKW', /lower-case/],
    ['0.0.123-vFmKw', /lower-case/],
    ['0.0.123#vfmkw', /three numbers/],
    ['0.0.123vfmkw', /three numbers/],
    ['0.0.123 - vfmkw', /three numbers/],
    ['0.123', /three numbers/],
    ['0.0.123.', /three numbers/],
    ['0.0.123-vf', /five lower-case letters/],
    ['0.0.123-vfm-kw', /five lower-case letters/],
    ['0.0.123-vfmkwxxxx', /five lower-case letters/],
    ['0.0.123-pzmtv', /testnet/],
    ['0x00000000000000000000000000000000000004d2', /EVM address/],
    ['0.0.9999999999999999999', /too large/],
  ],
  mutateWith: '0159azq.-',
});

// Source: HIP-15, the form without a checksum.
describeAddressFamily({
  family: 'Hedera without a checksum',
  check: checkHederaAddress,
  valid: ['0.0.1', '0.0.4', '0.0.123', '0.0.1234567890', '12.345.6789', '0.0.9223372036854775807'],
  invalid: [
    ['00.0.123', /leading zeros/],
    ['0.0.', /three numbers/],
    ['0.0.12a', /three numbers/],
    ['0.0.-1', /three numbers/],
    ['0.0.9223372036854775808', /too large/],
  ],
});
