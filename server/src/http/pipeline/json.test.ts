import { bestTimeMs } from '@payassent/proof/runner/best-time';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { readJson } from './inputs.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('strict JSON', () => {
  it.each<[string, unknown]>([
    ['{}', {}],
    [' {"a": [1, -2.5e3, true, null, "x"]} ', { a: [1, -2500, true, null, 'x'] }],
    ['{"a":{"x":1},"b":{"x":1}}', { a: { x: 1 }, b: { x: 1 } }],
    ['{"a":"\\ud83d\\ude00","b":"\\"{[,:"}', { a: '😀', b: '"{[,:' }],
    ['[["a","a"],{"a":["a"]}]', [['a', 'a'], { a: ['a'] }]],
  ])('accepts %s', (text, value) => {
    expect(readJson(bytes(text)).value).toEqual(value);
  });

  it.each([
    ['truncated', bytes('{"a":1')],
    ['empty', bytes('')],
    ['a byte order mark', bytes('\uFEFF{}')],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a duplicate key', bytes('{"a":1,"a":2}')],
    ['a duplicate key spelled with an escape', bytes('{"a":1,"\\u0061":2}')],
    ['a duplicate key in a nested object', bytes('[{"b":{"a":1,"a":1}}]')],
    ['a duplicate __proto__', bytes('{"__proto__":1,"__proto__":2}')],
    ['U+0000', bytes('{"a":"\\u0000"}')],
    ['U+0000 in a key', bytes('{"\\u0000":1}')],
    ['a lone high surrogate', bytes('{"a":"\\ud83d"}')],
    ['a lone low surrogate', bytes('{"a":"x\\ude00"}')],
    ['33 levels', bytes(`${'['.repeat(33)}${']'.repeat(33)}`)],
    ['10,000 levels', bytes(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)],
  ])('refuses %s', (_name, input) => {
    expect(() => readJson(input)).toThrow(AppError);
  });

  it('accepts 32 levels', () => {
    expect(() => readJson(bytes(`${'['.repeat(32)}${']'.repeat(32)}`))).not.toThrow();
  });

  it('keeps __proto__ as plain data', () => {
    const value = readJson(bytes('{"__proto__":{"polluted":true}}')).value as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });

  it('handles the largest body in linear time', () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `"k${index}":${index}`).join(',');
    const body = bytes(`{${keys}}`);
    expect(bestTimeMs(() => readJson(body), 500)).toBeLessThan(500);
  });
});
