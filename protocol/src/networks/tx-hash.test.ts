import { describe, expect, it } from 'vitest';
import { NETWORKS } from '../enumerations.ts';
import { canonicalTxHash, txHashForm, txHashForms } from './tx-hash.ts';

const BARE = 'ab12'.repeat(16);
const mixed = (text: string) =>
  [...text].map((letter, place) => (place % 2 ? letter.toUpperCase() : letter)).join('');
const SPELLINGS = [
  BARE,
  BARE.toUpperCase(),
  mixed(BARE),
  `0x${BARE}`,
  `0X${BARE}`,
  `0x${BARE.toUpperCase()}`,
];
const PREFIXED = [
  'ethereum_mainnet',
  'base_mainnet',
  'bsc_mainnet',
  'arbitrum_one',
  'polygon_pos',
  'avalanche_c_chain',
  'optimism_mainnet',
  'cronos_mainnet',
  'mantle_mainnet',
  'zksync_era',
  'linea_mainnet',
  'aptos_mainnet',
  'polkadot_mainnet',
  'starknet_mainnet',
];

describe('the canonical name of a transaction', () => {
  it.each(NETWORKS)('on %s is one for every spelling of 64 hex digits', (network) => {
    const expected = PREFIXED.includes(network) ? `0x${BARE}` : BARE;
    for (const spelling of SPELLINGS) expect(canonicalTxHash(network, spelling)).toBe(expected);
  });

  it('on TON is the hex of base64 and of base64url, with and without padding', () => {
    const bytes = Buffer.from('fbef'.repeat(16), 'hex');
    const spellings = [
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64').replace('=', ''),
      bytes.toString('base64url'),
      `${bytes.toString('base64url')}=`,
    ];
    expect(new Set(spellings).size).toBe(5);
    for (const spelling of spellings)
      expect(canonicalTxHash('ton_mainnet', spelling)).toBe(bytes.toString('hex'));
    // The last digit has two spare bits.
    const spare = bytes.toString('base64url');
    const next = String.fromCharCode(spare.charCodeAt(42) + 1);
    expect(canonicalTxHash('ton_mainnet', spare.slice(0, 42) + next)).toBe(bytes.toString('hex'));
    const zeros = Buffer.alloc(32);
    expect(canonicalTxHash('ton_mainnet', zeros.toString('base64'))).toBe('0'.repeat(64));
    for (const other of NETWORKS.filter((network) => network !== 'ton_mainnet'))
      expect(canonicalTxHash(other, bytes.toString('base64'))).toBe(bytes.toString('base64'));
  });

  it('on Hedera is the form with dashes', () => {
    const dashed = '0.0.1234-1700000000-000000001';
    expect(canonicalTxHash('hedera_mainnet', '0.0.1234@1700000000.000000001')).toBe(dashed);
    expect(canonicalTxHash('hedera_mainnet', dashed)).toBe(dashed);
    expect(canonicalTxHash('stellar_public', '0.0.1234@1700000000.000000001')).toContain('@');
  });

  it('is the text as sent where it is of no known form', () => {
    for (const text of [
      'Ab',
      `${BARE}0`,
      `0x${BARE.slice(1)}`,
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb',
      ' ',
    ]) {
      const forms = txHashForms(text);
      for (const network of NETWORKS) {
        expect(canonicalTxHash(network, text)).toBe(text);
        expect(forms[txHashForm(network)]).toBe(text);
      }
    }
  });

  it('is its own canonical name', () => {
    for (const network of NETWORKS)
      for (const spelling of [...SPELLINGS, Buffer.alloc(32, 7).toString('base64'), '0.0.1@2.3']) {
        const once = canonicalTxHash(network, spelling);
        expect(canonicalTxHash(network, once)).toBe(once);
        expect(txHashForms(spelling)[txHashForm(network)]).toBe(once);
      }
  });
});
