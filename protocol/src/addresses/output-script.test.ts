import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Network } from '../enumerations.ts';
import { checkAddress } from './check-address.ts';
import { addressesOfScript } from './output-script.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('the address of an output script', () => {
  it.each<[Network, string, string[]]>([
    [
      'bitcoin_mainnet',
      '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac',
      ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ],
    [
      'bitcoin_mainnet',
      'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87',
      ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
    ],
    // BIP-173 and BIP-350.
    [
      'bitcoin_mainnet',
      '0014751e76e8199196d454941c45d1b3a323f1433bd6',
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ],
    [
      'bitcoin_mainnet',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ],
    // The first pair of the CashAddr specification, and the token-aware form of the same script.
    [
      'bitcoin_cash_mainnet',
      '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac',
      [
        'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
        'bitcoincash:zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w',
      ],
    ],
    ['dogecoin_mainnet', '0014751e76e8199196d454941c45d1b3a323f1433bd6', []],
    ['bitcoin_mainnet', '6a0568656c6c6f', []],
    ['bitcoin_mainnet', '', []],
    ['ethereum_mainnet', '0014751e76e8199196d454941c45d1b3a323f1433bd6', []],
  ])('on %s of %s is %j', (network, script, addresses) => {
    expect(addressesOfScript(network, bytes(script))).toEqual(addresses);
  });

  it('is always one that the network accepts, in the form that is stored', () => {
    const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
    const long = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const script = fc.oneof(
      hash.map((key) => [0x76, 0xa9, 20, ...key, 0x88, 0xac]),
      hash.map((inner) => [0xa9, 20, ...inner, 0x87]),
      long.map((inner) => [0xaa, 32, ...inner, 0x87]),
      fc.oneof(hash, long).map((program) => [0, program.length, ...program]),
      long.map((program) => [0x51, 32, ...program]),
      fc.uint8Array({ maxLength: 45 }).map((any) => [...any]),
    );
    const network = fc.constantFrom<Network[]>(
      'bitcoin_mainnet',
      'litecoin_mainnet',
      'dogecoin_mainnet',
      'bitcoin_cash_mainnet',
    );
    fc.assert(
      fc.property(network, script, (where, output) => {
        for (const address of addressesOfScript(where, Uint8Array.from(output)))
          expect(checkAddress(where, address)).toEqual({ ok: true, address });
      }),
      { numRuns: 500 },
    );
  });
});
