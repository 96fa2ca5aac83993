import { describe, expect, it } from 'vitest';
import { isEasyPin } from './pin.ts';
import { asksFor, type StoredLock } from './stored-lock.ts';

const LUMENS = { network: 'stellar_testnet', asset: 'XLM', origin: '' } as const;
const DOLLARS = { network: 'stellar_testnet', asset: 'USDC', origin: 'GA' } as const;
const LOCK: StoredLock = {
  ...{ id: 'one', kind: 'passkey', credentialId: 'abc' },
  limits: [
    { ...LUMENS, above: '10' },
    { ...DOLLARS, above: '2.5' },
  ],
};
const lumens = { network: 'stellar_testnet', asset: 'XLM' } as const;
const dollars = { network: 'stellar_testnet', asset: 'USDC', issuer: 'GA' } as const;

describe('a lock with limits', () => {
  it.each([
    ['up to the limit of the asset', { ...lumens, amount: '10.0000000' }, false],
    ['above it', { ...lumens, amount: '10.0000001' }, true],
    ['up to the limit of another asset, which counts for that one alone', { ...dollars, amount: '3' }, true],
    ['up to its own limit', { ...dollars, amount: '2.5' }, false],
    ['an asset of the same name from another issuer', { ...dollars, issuer: 'GB', amount: '1' }, true],
    ['the same asset on another network', { ...lumens, network: 'stellar', amount: '1' }, true],
    ['an asset without a limit', { ...lumens, asset: 'EURC', issuer: 'GC', amount: '0.01' }, true],
  ] as const)('%s', (_what, facts, isAsked) => {
    expect(asksFor(LOCK, facts as Parameters<typeof asksFor>[1])).toBe(isAsked);
  });

  it('requests everything when there are none', () => {
    expect(asksFor({ ...LOCK, limits: [] }, { ...lumens, amount: '0.0000001' })).toBe(true);
  });
});

it('PINs that are guessed first are refused', () => {
  expect(['000000', '121212', '123456', '654321', '4567890'].every(isEasyPin)).toBe(true);
  expect(['285719', '112233', '135791'].some(isEasyPin)).toBe(false);
});
