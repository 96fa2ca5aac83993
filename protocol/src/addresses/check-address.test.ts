import { describe, expect, it } from 'vitest';
import { NETWORKS } from '../enumerations.ts';
import { checkAddress } from './check-address.ts';
import { ADDRESS_KINDS, checkAddressOfKind } from './kinds.ts';

describe('addresses of any kind', () => {
  const hostile = [
    '',
    ' ',
    '0',
    '1',
    '-',
    ':',
    '\u0000',
    'ｘ',
    '𝟙',
    '\ud800',
    '='.repeat(58),
    '1'.repeat(201),
    'a'.repeat(100_000),
    'A'.repeat(56),
    '0x',
    `0x${'f'.repeat(64)}`,
    'bc1',
    'bitcoincash:',
    '0:',
    '-1:',
    'constructor',
    '__proto__',
  ];

  it.each(ADDRESS_KINDS)('%s returns a sentence for every hostile text and never throws', (kind) => {
    for (const text of hostile) {
      const check = checkAddressOfKind(kind, text);
      if (!check.ok) expect(check.reason, text.slice(0, 80)).toMatch(/^[A-Z]/);
    }
  });

  it.each(ADDRESS_KINDS)('%s refuses spaces, look-alikes of other scripts and walls of text', (kind) => {
    expect(checkAddressOfKind(kind, ' GA')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/space/),
    });
    expect(checkAddressOfKind(kind, '0xА')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/U\+0410/),
    });
    expect(checkAddressOfKind(kind, 'a b')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/U\+0020/),
    });
    expect(checkAddressOfKind(kind, 'x'.repeat(500))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/500 characters/),
    });
    expect(checkAddressOfKind(kind, '')).toMatchObject({ ok: false, reason: expect.stringMatching(/empty/) });
  });

  it('names a payment link or CAIP-10 id as more than an address', () => {
    for (const text of [
      'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo',
      'eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ]) {
      expect(checkAddressOfKind('bitcoin', text)).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/without the part before the colon/),
      });
    }
  });
});

describe('addresses by network', () => {
  it('reads the same address the same way on both Stellar networks', () => {
    const address = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
    expect(checkAddress('stellar_public', address)).toEqual({ ok: true, address });
    expect(checkAddress('stellar_testnet', address)).toEqual({ ok: true, address });
  });

  it('accepts a foreign address on no network but those that share its form', () => {
    const accepting = (address: string) => NETWORKS.filter((network) => checkAddress(network, address).ok);
    expect(accepting('GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ')).toEqual([
      'stellar_public',
      'stellar_testnet',
    ]);
    expect(accepting('1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo')).toEqual(['bitcoin_mainnet']);
    expect(accepting('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toEqual(['bitcoin_mainnet']);
    expect(accepting('LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA')).toEqual(['litecoin_mainnet']);
    expect(accepting('DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE')).toEqual(['dogecoin_mainnet']);
    expect(accepting('rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY')).toEqual(['xrpl_mainnet']);
    expect(accepting('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toEqual([
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
    ]);
  });
});
