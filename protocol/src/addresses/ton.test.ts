import { describe, expect, it } from 'vitest';
import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkTonAddress, tonAccountOf } from './ton.ts';

// One alphabet only: + for - is the same address in its other spelling.
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=!';

// Sources: TON documentation, "Smart contract addresses" and "TON cookbook"; ton-org/ton-core, src/address/Address.spec.ts (both flags,
// both alphabets, testnet forms); the elector, config and log contracts of the masterchain as TON explorers list them;
// documentation of the crate ton_smart_contract_address.
describeAddressFamily({
  family: 'TON user-friendly addresses',
  check: checkTonAddress,
  valid: [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB',
    'UQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi41-E',
    'EQC6YL-9UnwM0tcMY5ZjDFCkmK8BW5h62q0dSp4of2BFNvnA',
    'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
    'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
    'Ef80UXx731GHxVr0-LYf3DIViMerdo3uJLAG3ykQZFjXz2kW',
    ['EQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi4wJB', 'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB'],
    ['UQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi41+E', 'UQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi41-E'],
  ],
  invalid: [
    ['kQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi47nL', /testnet/],
    ['0QAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4-QO', /testnet/],
    ['kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP', /testnet/],
    ['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHG', /checksum/],
    ['EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJ', /48 characters.*this has 47/],
    ['ton://EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB', /begins with 0: or -1:/],
    ['!@#$%^&*AAAAAAAAAAAAAA AAAAAAAAAA AAAAAAAAAAAA A', /Character 1 \("!"\)/],
    ['UQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi41+E', /mixes the two base64 alphabets/],
    ['', /48 characters/],
  ],
  mutateWith: BASE64,
});

// Sources: as above; the raw form carries no checksum, so there is nothing for a mutation to break.
describeAddressFamily({
  family: 'TON raw addresses',
  check: checkTonAddress,
  valid: [
    '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    '0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3',
    '-1:3333333333333333333333333333333333333333333333333333333333333333',
    '-1:fcb91a3a3816d0f7b8c2c76108b8a9bc5a6b7a55bd79f8ab101c52db29232260',
    [
      '0:CA6E321C7CCE9ECEDF0A8CA2492EC8592494AA5FB5CE0387DFF96EF6AF982A3E',
      '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    ],
  ],
  invalid: [
    ['0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422', /64 hex digits.*this has 62/],
    ['0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e', /64 hex digits.*this has 63/],
    ['0:EQDXDCFLXgiTrjGSNVBuvKPZVYlPn3J_u96xxLas3_yoRWRk', /64 hex digits/],
    ['1:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e', /begins with 0: or -1:/],
    [':ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e', /begins with 0: or -1:/],
    ['0:ga6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e', /Character 3 \("g"\)/],
  ],
});

describe('TON accounts', () => {
  it('are the same for every spelling of one account and differ between workchains', () => {
    const account = '0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3';
    const spellings = [
      account,
      account.toUpperCase(),
      'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB',
      'EQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi4wJB',
      'UQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi41+E',
    ];
    expect(spellings.map(tonAccountOf)).toEqual(spellings.map(() => account));
    expect(tonAccountOf('Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF')).toBe(`-1:${'33'.repeat(32)}`);
  });
});
