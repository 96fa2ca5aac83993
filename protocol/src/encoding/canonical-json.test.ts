import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalJsonBytes, hasLoneSurrogate } from './canonical-json.ts';

/** RFC 8785, appendix B: bits of an IEEE 754 double and its text. */
const RFC_8785_NUMBERS: [string, string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

const fromBits = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE();

describe('canonical JSON against RFC 8785', () => {
  it.each(RFC_8785_NUMBERS)('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(fromBits(bits))).toBe(text);
  });

  it('refuses the doubles that the appendix calls an error', () => {
    for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
      expect(() => canonicalJson(fromBits(bits))).toThrow(TypeError);
    }
  });

  it('reproduces the example of section 3.2.2 and its bytes of section 3.2.4', () => {
    const input = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(Buffer.from(canonicalJsonBytes(input)).toString('hex')).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e' +
        '333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c' +
        '6e4127425c225c5c5c5c5c222f227d',
    );
  });

  it('orders members by UTF-16 code units as in section 3.2.3', () => {
    const input = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(
      Object.values(
        JSON.parse(
          `[${
            canonicalJson(input)
              .match(/:("[^"]*")/g)
              ?.map((m) => m.slice(1)) ?? ''
          }]`,
        ),
      ),
    ).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });
});

describe('canonical JSON refuses what has no canonical form', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const sparse: unknown[] = [];
  sparse[1] = 1;

  it.each([
    ['a lone high surrogate', '\ud800'],
    ['a lone low surrogate', 'x\udc00y'],
    ['a reversed pair', '\udc00\ud800'],
    ['a lone surrogate in a key', { '\udfff': 1 }],
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole in a list', sparse],
    ['NaN', [Number.NaN]],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['a BigInt', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a cycle', cyclic],
  ])('%s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

const encodes = (text: string): boolean => {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

describe('canonical JSON as a property', () => {
  const shuffled = (value: unknown, seed: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => shuffled(item, seed));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
      key,
      shuffled(item, seed + 1),
    ]);
    const turned = [
      ...entries.slice(seed % (entries.length + 1)),
      ...entries.slice(0, seed % (entries.length + 1)),
    ];
    return Object.fromEntries(seed % 2 ? turned.reverse() : turned);
  };
  const codeUnit = fc.integer({ min: 0xd7f0, max: 0xe00f }).map((code) => String.fromCharCode(code));
  const json = fc.jsonValue({ stringUnit: 'grapheme' });

  it('is stable under the order of keys', () => {
    fc.assert(
      fc.property(json, fc.nat(20), (value, seed) => {
        expect(canonicalJson(shuffled(value, seed))).toBe(canonicalJson(value));
      }),
      { numRuns: 500 },
    );
  });

  it('reads back as the same value and is a fixed point', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('treats __proto__ as an ordinary key', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });

  it('finds lone surrogates and leaves pairs alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: codeUnit }), (text) => {
        // encodeURIComponent throws exactly on lone surrogates.
        expect(hasLoneSurrogate(text)).toBe(!encodes(text));
        expect(hasLoneSurrogate(`${text}\ud800`)).toBe(true);
      }),
    );
    expect(hasLoneSurrogate('😀')).toBe(false);
  });
});
