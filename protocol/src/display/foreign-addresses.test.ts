import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byron, CHECKSUMMED_ADDRESSES } from '../../test/address-generators.ts';
import { ADDRESS_KINDS, checkAddressOfKind } from '../addresses/kinds.ts';
import { allowAddresses, findForeignAddresses, mayShowAddress } from './foreign-addresses.ts';

const NONE: ReadonlySet<string> = new Set();
const FORMATS = Object.entries(CHECKSUMMED_ADDRESSES);
const ETHEREUM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TON_ACCOUNT = '0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3';

/** Formats that are the same account in either case. */
function hasAnyCase(format: string): boolean {
  return /^ICP|^Stellar|^Algorand|^Filecoin|segwit|taproot|CashAddr|Cosmos|Cardano (?!Byron)/.test(format);
}

function isForeign(text: string, ...allowed: string[]): boolean {
  return findForeignAddresses(text, 'note', new Set(allowed)).length > 0;
}

describe('the scan for foreign addresses', () => {
  it.each(FORMATS)('finds every %s address, wherever it is in the text', (_name, addresses) => {
    const before = fc.constantFrom(
      '',
      'pay to ',
      '(',
      '«',
      'x:',
      'https://example.com/a?to=',
      'é',
      '\n',
      '"',
      '=',
    );
    const after = fc.constantFrom('', '.', ' now', ')', '?amount=1', '»', ',', 'é', '\u3002', '&x');
    fc.assert(
      fc.property(addresses, before, after, (address, left, right) => {
        expect(isForeign(left + address + right), left + address + right).toBe(true);
        expect(isForeign(left + address + right, address)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it.each(FORMATS)('finds %s addresses that are glued with _ - + or /', (_name, addresses) => {
    const glue = fc.constantFrom('_', '-', '+', '/', '//', '-_');
    fc.assert(
      fc.property(addresses, glue, glue, (address, left, right) => {
        expect(isForeign(`memo${left}${address}${right}ok`)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it.each(FORMATS)(
    'does not take a %s address with one wrong character for an address',
    (name, addresses) => {
      fc.assert(
        fc.property(addresses, fc.nat(), fc.nat(), (address, place, change) => {
          const at = place % address.length;
          const other = 'abcdefghijkmnpqrstuvwxyz23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[change % 56] ?? 'a';
          const mutated = address.slice(0, at) + other + address.slice(at + 1);
          const isStillValid = ADDRESS_KINDS.some((kind) => checkAddressOfKind(kind, mutated).ok);
          fc.pre(other !== address[at] && !isStillValid);
          // Case means nothing in these: a person reads them, and types them in, in any.
          fc.pre(!hasAnyCase(name) || other.toLowerCase() !== address[at]?.toLowerCase());
          // A CashAddr prefix is no part of the run that carries the checksum.
          fc.pre(!address.includes(':') || at > address.indexOf(':'));
          expect(isForeign(mutated), mutated).toBe(false);
        }),
        { numRuns: 100 },
      );
    },
  );

  it.each([
    ['Solana', '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'],
    ['Sui and Aptos', '0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331'],
    ['Starknet', '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7'],
    ['raw TON', TON_ACCOUNT],
    ['Hedera', '0.0.123-vfmkw'],
    ['EVM in lower case', ETHEREUM.toLowerCase()],
    ['EVM in upper case', `0x${ETHEREUM.slice(2).toUpperCase()}`],
    ['EVM with a wrong checksum', ETHEREUM.replace('5aAe', '5AAe')],
    ['Filecoin actor id', 'f01024'],
    ['a SHA-256 digest', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['a testnet address', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['a TON testnet address', 'kQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi47nL'],
    ['a Kusama address', 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'],
    ['an address inside a longer word', `x${ETHEREUM}`],
  ])('never matches %s', (_name, text) => {
    expect(isForeign(text)).toBe(false);
  });

  it('finds a Byron address whose checksum was searched to be small, which changes its first letters', () => {
    const root = new Uint8Array(28);
    let made = byron(root, undefined);
    for (let attempt = 0; made.checksum > 0xffff; attempt += 1) {
      new DataView(root.buffer).setUint32(0, attempt);
      made = byron(root, undefined);
    }
    expect(made.address.startsWith('Ae2')).toBe(false);
    expect(checkAddressOfKind('cardano', made.address).ok).toBe(true);
    expect(isForeign(made.address)).toBe(true);
  });

  it('reads full-width letters and ignores invisible ones', () => {
    const fullWidth = ETHEREUM.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    expect(isForeign(fullWidth)).toBe(true);
    for (const invisible of ['\u200b', '\u00ad', '\ufe0f', '\u200d', '\u2060']) {
      expect(isForeign(`${ETHEREUM.slice(0, 20)}${invisible}${ETHEREUM.slice(20)}`)).toBe(true);
    }
  });

  it('agrees with a slow scan that tries every family on every run', () => {
    const run = fc.oneof(
      ...FORMATS.map(([, addresses]) => addresses),
      fc.string({ unit: fc.constantFrom(...'abzAZ019xrqtz'), maxLength: 70 }),
    );
    const withChecksum = ADDRESS_KINDS.filter(
      (kind) => !['solana', 'sui', 'aptos', 'starknet', 'hedera'].includes(kind),
    );
    const isOneCaseHex = (text: string) => /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(text);
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 6 }), (runs) => {
        const text = runs.join(' ');
        const slow = (text.match(/[A-Za-z0-9:_+/-]+/g) ?? []).some(
          (word) => !isOneCaseHex(word) && withChecksum.some((kind) => checkAddressOfKind(kind, word).ok),
        );
        if (slow) expect(isForeign(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('reports one issue for each text, in document order, with a message that names the next step', () => {
    const value = {
      b: [`see ${ETHEREUM} and ${ETHEREUM}`],
      n: 5,
      a: { c: ETHEREUM },
      [ETHEREUM]: 'a name is text, too',
    };
    const issues = findForeignAddresses(value, 'metadata', NONE);
    expect(issues.map(({ field, code }) => [field, code])).toEqual([
      ['metadata.b[0]', 'risk_foreign_address'],
      ['metadata.a.c', 'risk_foreign_address'],
      [`metadata.${ETHEREUM}`, 'risk_foreign_address'],
    ]);
    expect(issues[2]?.message).toMatch(/^The name shows 0x5aAeb6…Ef1BeAed/);
    expect(issues[0]?.message).toMatch(
      /^The text shows 0x5aAeb6…Ef1BeAed, a valid address \(evm\).*Remove it/,
    );
  });
});

describe('allowed addresses', () => {
  // Sources of the pairs: ton-core's Address.spec.ts; the CashAddr specification's table of old and new forms; ledger-icp's account_identifier tests;
  // the X-address examples of xrpl.js.
  it.each([
    ['EVM in another case', ETHEREUM.toLowerCase(), ETHEREUM],
    ['TON pinned raw, shown bounceable', TON_ACCOUNT, 'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB'],
    [
      'TON pinned raw in upper case',
      TON_ACCOUNT.toUpperCase(),
      'EQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi4wJB',
    ],
    [
      'TON bounceable and not',
      'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB',
      'UQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi41+E',
    ],
    [
      'CashAddr without prefix',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
    ],
    [
      'CashAddr in its old form',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ],
    [
      'CashAddr script in its old form',
      'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
      '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC',
    ],
    [
      'bech32 in upper case',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    ],
    [
      'ICP principal and its default account',
      'bwz3t-ercuj-owo6s-4adfr-sbu4o-l72hg-kfhc5-5sapm-tj6bn-3scho-uqe',
      'df4ad42194201b15ecbbe66ff68559a126854d8141fd935c5bd53433c2fb28d4',
    ],
    [
      'the default account and its ICP principal',
      'df4ad42194201b15ecbbe66ff68559a126854d8141fd935c5bd53433c2fb28d4',
      'BWZ3T-ERCUJ-OWO6S-4ADFR-SBU4O-L72HG-KFHC5-5SAPM-TJ6BN-3SCHO-UQE',
    ],
    [
      'XRP Ledger X-address without a tag',
      'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf',
      'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb',
    ],
  ])('are the same in another spelling: %s', (_name, pinned, shown) => {
    expect(isForeign(shown)).toBe(true);
    expect(isForeign(shown, pinned)).toBe(false);
  });

  it('knows the Litecoin twin of an old script address', () => {
    const [old, twin] = ['3F1c6UWAs9RLN2Mbt5bAJue12VhVCorXzs', 'MMDkQMv8pGGmAXdVyxaW8YtQMCHw7eouma'];
    expect(isForeign(old, twin)).toBe(false);
    expect(isForeign(old)).toBe(true);
  });

  it('are not those of another account: tags, muxed ids and workchains count', () => {
    const tagged = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A';
    expect(isForeign(tagged, 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59')).toBe(true);
    expect(isForeign(tagged, tagged)).toBe(false);
    expect(
      isForeign('EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB', TON_ACCOUNT.replace('0:', '-1:')),
    ).toBe(true);
    expect(isForeign(ETHEREUM, `${ETHEREUM.slice(0, -1)}e`)).toBe(true);
  });

  it('may be decided by a function, and one foreign address among allowed ones is still found', () => {
    const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
    const onlyEvm = findForeignAddresses(
      [`${ETHEREUM} ${bitcoin}`, ETHEREUM],
      'x',
      (found) => found.kind === 'evm',
    );
    expect(onlyEvm.map(({ field }) => field)).toEqual(['x[0]']);
    expect(findForeignAddresses(ETHEREUM, 'x', allowAddresses([ETHEREUM]))).toEqual([]);
  });

  it('are needed only for a value that may show an address', () => {
    expect(mayShowAddress({ a: 'lunch', b: ['for two'] })).toBe(false);
    expect(mayShowAddress({ a: ['lunch'], b: `for ${ETHEREUM}!` })).toBe(true);
    expect(mayShowAddress({ [ETHEREUM]: 'lunch' })).toBe(true);
  });
});

describe('more text that resembles addresses than can be checked', () => {
  const nearEthereum = (index: number) => `0x${'aBcDeF'.repeat(6)}${index.toString(16).padStart(4, '0')}`;
  const near = Array.from({ length: 550 }, (_, index) => nearEthereum(index));

  it.each([
    ['in one text', [...near, ETHEREUM].join(' ')],
    ['in a list', [...near, ETHEREUM]],
    ['in members', Object.fromEntries([...near, ETHEREUM].map((text, index) => [`m${index}`, text]))],
    ['in names', Object.fromEntries([...near, ETHEREUM].map((text) => [text, '']))],
  ])('is refused, so that no address hides behind it: %s', (_name, value) => {
    const issues = findForeignAddresses(value, 'display', new Set());
    expect(issues.map(({ code }) => code)).toEqual(['risk_foreign_address']);
    expect(issues[0]?.message).toMatch(/^Too much of the text resembles addresses/);
    expect(mayShowAddress(value)).toBe(true);
  });

  it('is far more than any text has: a hundred near-addresses are all checked', () => {
    const some = near.slice(0, 99);
    expect(findForeignAddresses(some, 'display', new Set())).toEqual([]);
    const found = findForeignAddresses([...some, ETHEREUM], 'display', new Set());
    expect(found.map(({ field }) => field)).toEqual(['display[99]']);
  });
});
