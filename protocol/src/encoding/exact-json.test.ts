import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { ExactNumber, exactJson, parseExactJson, parseJsonKeepingDigits } from './exact-json.ts';
import { parseStrictJson } from './strict-json.ts';

const ODD = [
  '1.10',
  '1e400',
  '12345678901234567890',
  '-0',
  '1E3',
  '1e+2',
  '0.1000',
  '-1e-400',
  '9007199254740992',
  '100000000000000000000.0',
];

describe('exact JSON', () => {
  it.each(ODD)('read without exact numbers, %s has the digest of what was written', (token) => {
    const text = `{"a":[1,${token}],"b":"${token}"}`;
    expect(canonicalJson(parseJsonKeepingDigits(text))).toBe(canonicalJson(parseExactJson(text)));
  });

  it.each(ODD)('keeps %s digit for digit, in every position', (token) => {
    for (const text of [
      token,
      `[${token}]`,
      `{"a":${token}}`,
      `{"a":[1,${token},{"b":${token}}],"c":"${token}"}`,
    ]) {
      expect(exactJson(parseExactJson(text))).toBe(text);
      expect(exactJson(parseExactJson(`  ${text} `))).toBe(text);
    }
    expect(exactJson(parseExactJson(`{ "a" : ${token} , "b" : [ ${token} ] }`))).toBe(
      `{"a":${token},"b":[${token}]}`,
    );
  });

  it('keeps any number that JSON can write, in any JSON', () => {
    const digits = fc.stringMatching(/^[0-9]{1,30}$/);
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9][0-9]{0,40})$/),
        fc.option(digits),
        fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/)),
      )
      .map(
        ([sign, whole, fraction, exponent]) =>
          `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent ?? ''}`,
      );
    const { json } = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        number,
        fc
          .string({ unit: 'binary' })
          .filter((text) => !text.includes('\0'))
          .map((text) => JSON.stringify(text)),
        fc.array(tie('json')).map((items) => `[${items.join(',')}]`),
        fc
          .uniqueArray(fc.constantFrom('a', '1.10', '__proto__', ':-0', 'toJSON'), { maxLength: 4 })
          .chain((names) =>
            fc
              .tuple(...names.map((name) => tie('json').map((value) => `${JSON.stringify(name)}:${value}`)))
              .map((members) => `{${members.join(',')}}`),
          ),
      ),
    }));
    fc.assert(
      fc.property(json, (text) => {
        expect(exactJson(parseExactJson(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('makes ordinary numbers of ordinary tokens, and is plain JSON without others', () => {
    const value = { a: 1, b: -2.5, c: 'T10:00:00.500Z', d: [0, 1e21, 9007199254740991] };
    expect(parseExactJson(JSON.stringify(value))).toEqual(value);
    expect(exactJson(value)).toBe(JSON.stringify(value));
    expect(parseExactJson('{"a":1.10}')).toEqual({ a: new ExactNumber('1.10') });
  });

  it('throws where JSON.parse does', () => {
    for (const text of ['{"a":1.10', '01', '1.', '.5', '+1', '-', '1e', 'NaN', '[1.10,]', '{"a":-01}'])
      expect(() => parseExactJson(text), text).toThrow(SyntaxError);
  });
});

describe('in canonical JSON', () => {
  it.each([
    ['12345678901234567890', '"12345678901234567890"'],
    ['-9007199254740993', '"-9007199254740993"'],
    ['9007199254740992', '"9007199254740992"'],
    ['1e400', '"1e400"'],
    ['9007199254740991', '9007199254740991'],
    ['1.10', '1.1'],
    ['1e3', '1000'],
    ['-0', '0'],
    ['1e-400', '0'],
    ['1E30', '1e+30'],
  ])('%s counts as %s', (token, written) => {
    expect(canonicalJson(parseExactJson(`{"a":[${token}]}`))).toBe(`{"a":[${written}]}`);
  });
});

describe('strict JSON that keeps numbers', () => {
  it('reads them as JavaScript does, and next to that as they are', () => {
    const parsed = parseStrictJson('{"a":1e400,"b":1.0}', 32, { keepsNumbers: true });
    expect(parsed).toEqual({
      ok: true,
      value: { a: Infinity, b: 1 },
      exact: { a: new ExactNumber('1e400'), b: new ExactNumber('1.0') },
    });
    expect(parseStrictJson('{"a":1}', 32, { keepsNumbers: true })).toEqual({ ok: true, value: { a: 1 } });
    expect(parseStrictJson('{"a":1e400}')).toEqual({ ok: false, reason: 'number_overflow' });
  });
});
