import { describe, expect, it } from 'vitest';
import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkInternetComputerAddress, defaultAccountIdOf } from './internet-computer.ts';

// Sources: Internet Computer interface specification, "Textual representation of principals" (em77e-bvlzu-aq is its worked example, aaaaa-aa
// and 2vxsx-fae its special principals); canister ids of the network nervous system (registry, governance, ledger); dfinity/ic-js,
// packages/ledger-icp tests (self-authenticating principal).
describeAddressFamily({
  family: 'Internet Computer principals',
  check: checkInternetComputerAddress,
  valid: [
    'em77e-bvlzu-aq',
    'ryjl3-tyaaa-aaaaa-aaaba-cai',
    'rrkah-fqaaa-aaaaa-aaaaq-cai',
    'rwlgt-iiaaa-aaaaa-aaaaa-cai',
    'bwz3t-ercuj-owo6s-4adfr-sbu4o-l72hg-kfhc5-5sapm-tj6bn-3scho-uqe',
    'tdb26-jop6k-aogll-7ltgs-eruif-6kk7m-qpktf-gdiqx-mxtrf-vb5e6-eqe',
    ['RYJL3-TYAAA-AAAAA-AAABA-CAI', 'ryjl3-tyaaa-aaaaa-aaaba-cai'],
  ],
  invalid: [
    ['aaaaa-aa', /management canister/],
    ['2vxsx-fae', /anonymous/],
    ['ryjl3-tyaaa-aaaaa-aaaba-caa', /checksum/],
    ['ryjl3-tyaaa-aaaaa-aaaba-caj', /last character|checksum/],
    ['ryjl3tyaaa-aaaaa-aaaba-cai', /hyphen follows every fifth/],
    ['ryjl3-tyaaa-aaaaa-aaaba-cai-', /hyphen follows every fifth/],
    ['ryjl3-tyaaa-aaaaa-aaab1-cai', /Character 23 \("1"\)/],
    ['k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae-6cc627i.1', /subaccount/],
    ['bwz3t-ercuj-owo6s-4adfr-sbu4o-l72hg-kfhc5-5sapm-tj6bn-3scho-uqeaa-aaaaa', /at most 63 characters/],
    ['-', /hyphen/],
  ],
  mutateWith: 'abcdefghijklmnopqrstuvwxyz234567-01',
});

// Sources: dfinity/ic-js, packages/ledger-icp/src/account_identifier.spec.ts (valid, wrong checksum, empty); exchange accounts that
// ICP explorers publish.
describeAddressFamily({
  family: 'Internet Computer account identifiers',
  check: checkInternetComputerAddress,
  valid: [
    'd3e13d4777e22367532053190b6c6ccf57444a61337e996242b1abfb52cf92c8',
    'df4ad42194201b15ecbbe66ff68559a126854d8141fd935c5bd53433c2fb28d4',
    '609d3e1e45103a82adc97d4f88c51f78dedb25701e8e51e8c4fec53448aadc29',
    '220c3a33f90601896e26f76fa619fe288742df1fa75426edfaf759d39f2455a5',
    '449ce7ad1298e2ed2781ed379aba25efc2748d14c60ede190ad7621724b9e8b2',
    [
      'D3E13D4777E22367532053190B6C6CCF57444A61337E996242B1ABFB52CF92C8',
      'd3e13d4777e22367532053190b6c6ccf57444a61337e996242b1abfb52cf92c8',
    ],
  ],
  invalid: [
    ['bad13d4777e22367532053190b6c6ccf57444a61337e996242b1abfb52cf92c8', /checksum/],
    ['d3e13d4777e22367532053190b6c6ccf57444a61337e996242b1abfb52cf92c9', /checksum/],
    ['d3e13d4777e22367532053190b6c6ccf57444a61337e996242b1abfb52cf92c', /64 hex digits.*this has 63/],
    ['d3e13d4777e22367532053190b6c6ccf57444a61337e996242b1abfb52cf92g8', /Character 63 \("g"\)/],
    ['foo bar', /64 hex digits/],
    ['', /64 hex digits/],
  ],
  mutateWith: '0123456789abcdefgG',
});

describe('the default account of a principal', () => {
  it('is the account identifier that ledger-icp derives (its published vector)', () => {
    const principal = 'bwz3t-ercuj-owo6s-4adfr-sbu4o-l72hg-kfhc5-5sapm-tj6bn-3scho-uqe';
    expect(defaultAccountIdOf(principal)).toBe(
      'df4ad42194201b15ecbbe66ff68559a126854d8141fd935c5bd53433c2fb28d4',
    );
  });
});
