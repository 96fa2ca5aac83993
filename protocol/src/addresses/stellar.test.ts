import { describe, expect, it } from 'vitest';
import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkStellarAccount, checkStellarAddress } from './stellar.ts';

const BASE32_SAMPLE = 'AGMS27Qa';

// Source: SEP-23 (stellar/stellar-protocol, ecosystem/sep-0023.md), valid test cases; then from
// stellar/go the root account of its test scenarios and the test network's friendbot, and Circle's USDC issuer.
describeAddressFamily({
  family: 'Stellar accounts and muxed accounts (SEP-23)',
  check: checkStellarAddress,
  valid: [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
    'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H',
    'GAIH3ULLFQ4DGSECF2AR555KZ4KNDGEKN4AFI4SU2M7B43MGK3QJZNSR',
    'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  ],
  // Source: SEP-23, invalid test cases, in their order; then valid StrKeys of kinds that cannot be paid.
  invalid: [
    ['GAAAAAAAACGC6', /56 characters; this has 13/],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR', /surplus bits/],
    ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA', /this has 57/],
    ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUACUSI', /this has 58/],
    ['G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I', /key algorithm/],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA', /69 characters; this has 70/],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAAV75I', /this has 71/],
    ['M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', /checksum/],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUK===', /this has 72/],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO', /checksum/],
    ['CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA', /contract/],
    ['LA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUPJN', /liquidity pool/],
    ['BAAD6DBUX6J22DMZOHIEZTEQ64CVCHEDRKWZONFEUL5Q26QD7R76RGR4TU', /claimable balance/],
    // Source: stellar-sdk StrKey tests (Soneso/stellar-php-sdk, StrKeyTest.php), a published throw-away seed.
    ['SBGWKM3CD4IL47QN6X54N6Y33T3JDNVI6AIJ6CD5IM47HG3IG4O36XCU', /secret seed/],
    ['ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz', /upper case/],
    ['bob*example.com', /federation/],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /begins with G/],
  ],
  mutateWith: BASE32_SAMPLE,
});

describe('Stellar issuers', () => {
  it('accepts a plain account', () => {
    const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
    expect(checkStellarAccount(issuer)).toEqual({ ok: true, address: issuer });
  });

  it('refuses a muxed account, which cannot issue', () => {
    expect(
      checkStellarAccount('MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'),
    ).toMatchObject({ ok: false, reason: expect.stringContaining('muxed') });
  });

  it('never repeats a secret seed in its response', () => {
    const seed = 'SBGWKM3CD4IL47QN6X54N6Y33T3JDNVI6AIJ6CD5IM47HG3IG4O36XCU';
    expect(JSON.stringify(checkStellarAddress(seed))).not.toContain(seed.slice(1, 20));
  });
});
