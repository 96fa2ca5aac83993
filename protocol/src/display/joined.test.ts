import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKSUMMED_ADDRESSES } from '../../test/address-generators.ts';
import { findForeignAddresses, mayShowAddress } from './foreign-addresses.ts';

const FORMATS = Object.entries(CHECKSUMMED_ADDRESSES);
const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
/** Of its letters, and those that case means nothing to. */
const TON = /^TON/;
const ANY_CASE = /^Stellar|^Algorand|^Filecoin|segwit|taproot|CashAddr|Cosmos|Cardano (?:base|enterprise)/;

function isForeign(value: unknown, ...allowed: string[]): boolean {
  return findForeignAddresses(value, 'note', new Set(allowed)).length > 0;
}

/** Without what is no part of the letters: the prefix of CashAddr and the hyphens of principals. */
function bare(format: string, address: string): string {
  const text = address.slice(address.indexOf(':') + 1);
  return TON.test(format) ? text : text.replaceAll('-', '');
}

function inGroups(text: string, size: number, link: string): string {
  return text.match(new RegExp(`.{1,${size}}`, 'g'))?.join(link) ?? '';
}

describe('an address in groups', () => {
  it.each(FORMATS)('is found whatever links the groups: %s', (format, addresses) => {
    const links = [' ', '\n', '\r\n', '.', '\u00a0', ', ', '|', ' : ', '·', '" "', ' → ', '  ', '][', ') ('];
    if (!TON.test(format)) links.push('-', '_', '/', ' - ', '+');
    fc.assert(
      fc.property(
        addresses,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(...links),
        fc.constantFrom('', 'pay ', 'see: ', 'to/', 'now '),
        fc.constantFrom('', ' now', '. Thanks', '/x'),
        (address, size, link, before, after) => {
          const text = `${before}${inGroups(bare(format, address), size, link)}${after}`;
          expect(isForeign(text), text).toBe(true);
          expect(isForeign({ [text]: 1 }), text).toBe(true);
          expect(isForeign(text, address), text).toBe(false);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(FORMATS)('is found over neighbouring items of a list: %s', (format, addresses) => {
    fc.assert(
      fc.property(addresses, fc.integer({ min: 1, max: 40 }), (address, size) => {
        const items = inGroups(bare(format, address), size, '\n').split('\n');
        fc.pre(items.length > 1);
        const value = { lines: ['one', 'two:', ...items, 'end'] };
        expect(findForeignAddresses(value, 'display', new Set()).map(({ field }) => field)).toEqual([
          'display.lines[2]',
        ]);
        expect(isForeign(value, address)).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  it.each(FORMATS.filter(([format]) => ANY_CASE.test(format)))(
    'is found in upper, lower and mixed case: %s',
    (format, addresses) => {
      fc.assert(
        fc.property(
          addresses,
          fc.constantFrom('', ' '),
          fc.infiniteStream(fc.boolean()),
          (address, link, flips) => {
            const text = bare(format, address);
            const mixed = Array.from(text, (letter) =>
              flips.next().value ? letter.toUpperCase() : letter.toLowerCase(),
            ).join('');
            for (const form of [text.toLowerCase(), text.toUpperCase(), mixed]) {
              const shown = link === '' ? form : inGroups(form, 4, link);
              expect(isForeign(shown), shown).toBe(true);
              expect(isForeign(shown, address), shown).toBe(false);
            }
          },
        ),
        { numRuns: 20 },
      );
    },
  );

  it('is found with marks, accents and invisible characters between the letters', () => {
    expect(isForeign(Array.from(STELLAR, (letter) => `${letter}\u0332`).join(''))).toBe(true);
    expect(isForeign(STELLAR.replaceAll('A', 'Á'))).toBe(true);
    expect(isForeign(STELLAR.replaceAll('Q', 'Q\u200b'))).toBe(true);
    expect(isForeign(`é${inGroups(SEGWIT, 4, ' ')}é`)).toBe(true);
  });

  it('never starts or ends inside a piece', () => {
    expect(isForeign(`x${inGroups(STELLAR, 4, ' ')}`)).toBe(false);
    expect(isForeign(`${inGroups(STELLAR, 4, ' ')}x`)).toBe(false);
    expect(isForeign(['a', `x${STELLAR.slice(0, 28)}`, STELLAR.slice(28)])).toBe(false);
    expect(isForeign([STELLAR.slice(0, 28), `${STELLAR.slice(28)}x`])).toBe(false);
  });

  it('is none over other words, long gaps, and values that are no texts', () => {
    for (const gap of [' 1 ', ' und ', ' '.repeat(9), ` ${'.'.repeat(12)} `])
      expect(isForeign(`${STELLAR.slice(0, 28)}${gap}${STELLAR.slice(28)}`), gap).toBe(false);
    expect(isForeign([STELLAR.slice(0, 28), 7, STELLAR.slice(28)])).toBe(false);
  });

  it('is found once in long items, whose middle cannot matter', () => {
    const long = 'lorem ipsum '.repeat(200);
    const value = [`${long}${STELLAR.slice(0, 30)}`, `${STELLAR.slice(30)} ${long}`, long];
    expect(findForeignAddresses(value, 'x', new Set()).map(({ field }) => field)).toEqual(['x[0]']);
  });

  it('is noticed by the quick check that needs no allowed addresses', () => {
    expect(mayShowAddress({ a: [inGroups(SEGWIT.toUpperCase(), 4, '-')] })).toBe(true);
    expect(mayShowAddress({ [STELLAR.toLowerCase()]: 1 })).toBe(true);
    expect(mayShowAddress({ a: 'AA '.repeat(20_000) })).toBe(true);
  });

  it('that has one wrong character is none', () => {
    fc.assert(
      fc.property(fc.nat(STELLAR.length - 2), (at) => {
        const wrong = STELLAR[at + 1] === 'A' ? 'B' : 'A';
        const near = STELLAR.slice(0, at + 1) + wrong + STELLAR.slice(at + 2);
        expect(isForeign(inGroups(near, 4, ' '))).toBe(false);
        expect(isForeign(near.toLowerCase())).toBe(false);
      }),
    );
  });
});

describe('no spelling of a real address passes', () => {
  const XRPL = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
  const halves = (address: string) => [
    address.slice(0, address.length >> 1),
    address.slice(address.length >> 1),
  ];
  const ADDRESSES = { STELLAR, SEGWIT, XRPL };
  const linked =
    (link: string, size = 4) =>
    (address: string) =>
      inGroups(address, size, link);
  const wrapped = (left: string, right: string) => (address: string) =>
    inGroups(address, 7, '\n')
      .split('\n')
      .map((group) => `${left}${group}${right}`)
      .join('');
  const SPELLINGS: Readonly<Record<string, (address: string) => unknown>> = {
    'a comma': linked(','),
    'a comma and a blank': linked(', '),
    'a bar': linked('|'),
    'a bar between blanks': linked(' | '),
    'a colon': linked(':'),
    'two colons': linked('::'),
    'a middle dot': linked('·'),
    'a middle dot between blanks': linked(' · '),
    'quotation marks': linked('"'),
    'quoted groups': wrapped('"', '" '),
    'an arrow': linked('→'),
    'an arrow between blanks': linked(' → '),
    'an arrow of two characters': linked(' -> '),
    'two blanks': linked('  '),
    'an empty line': linked('\n\n'),
    'round brackets': wrapped('(', ')'),
    'square brackets': wrapped('[', '] '),
    'curly brackets': wrapped('{', '}'),
    'angle brackets': wrapped('<', '>, '),
    'single letters': linked(' ', 1),
    'single letters with commas': linked(', ', 1),
    'single letters with two blanks': linked('  ', 1),
    asterisks: wrapped('**', '** '),
    'plus signs': linked(' + '),
    'two members': (address) => ({ first: halves(address)[0], second: halves(address)[1] }),
    'members of two objects': (address) => [{ name: halves(address)[0] }, { name: halves(address)[1] }],
    'a name and its value': (address) => ({ [halves(address)[0] ?? '']: halves(address)[1] }),
    'lists in a list': (address) => halves(address).map((half) => [half]),
  };

  it.each(Object.entries(SPELLINGS))('in groups with %s', (_name, spell) => {
    for (const [name, address] of Object.entries(ADDRESSES)) {
      expect(isForeign({ note: spell(address) }), name).toBe(true);
      expect(isForeign({ note: ['Order 7', spell(address), 'thank you'] }), name).toBe(true);
      expect(isForeign({ note: spell(address) }, address), name).toBe(false);
    }
  });
});

describe('text that could be put together in too many ways', () => {
  it('is refused instead of trusted, and costs little', () => {
    const noise = 'AA '.repeat(20_000);
    const issues = findForeignAddresses({ a: noise, b: 'ok' }, 'display', new Set());
    expect(issues.map(({ field, code }) => [field, code])).toEqual([['display.a', 'risk_foreign_address']]);
    expect(issues[0]?.message).toMatch(/too many ways/);
  });

  it('is not what many short members with numbers are', () => {
    const texts = Array.from({ length: 300 }, (_, n) => [`key-${n}`, `<i>${n}</i>`]);
    const items = Array.from({ length: 300 }, (_, n) => ({
      sku: `SKU-${n}`,
      qty: `${n % 9}`,
      name: `Mug ${n}`,
    }));
    expect(findForeignAddresses({ texts: Object.fromEntries(texts), items }, 'display', new Set())).toEqual(
      [],
    );
  });

  it.each([
    [
      'two-digit numbers',
      Array.from({ length: 2700 }, (_, n) => String((n * 37) % 100).padStart(2, '0')).join(' '),
    ],
    [
      'bytes in hex',
      Array.from({ length: 2700 }, (_, n) => ((n * 167 + (n >> 3)) % 256).toString(16).padStart(2, '0')).join(
        ' ',
      ),
    ],
    [
      'English in capitals',
      'THE QUICK BROWN FOX MAY CARRY MANY GARDENS OVER A LAZY DOG ANY TIME '.repeat(120),
    ],
    [
      'country codes',
      'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE '.repeat(4),
    ],
  ])('is none of these: %s', (_name, text) => {
    expect(
      findForeignAddresses(
        [text, text, text].map((each) => ({ each })),
        'x',
        new Set(),
      ),
    ).toEqual([]);
  });
});
