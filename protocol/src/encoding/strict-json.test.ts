import { bestTimeMs } from '@payassent/proof/runner/best-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictJson, parseStrictJsonBytes } from './strict-json.ts';

const reason = (text: string, depth?: number) => {
  const parsed = parseStrictJson(text, depth);
  return parsed.ok ? 'ok' : parsed.reason;
};

describe('strict JSON', () => {
  it('reads every ordinary value as JSON.parse does', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 6 }),
        fc.constantFrom(0, 2),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          fc.pre(!text.includes('\\u0000'));
          expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
        },
      ),
    );
  });

  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"\\u0061":2}'],
    ['{"x":[{"b":1 , "c":{"d":1},"b":2}]}'],
    ['{"":1,"":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    ['{"a\\"":1,\n"a\\"" :2}'],
  ])('refuses a repeated key: %s', (text) => {
    expect(reason(text)).toBe('duplicate_key');
  });

  it.each([
    ['{"a":{"a":{"a":1}}}'],
    ['[{"a":1},{"a":1}]'],
    ['{"a":"a","b":"a"}'],
    ['["a","a"]'],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}'],
    ['{"a":["b","b",{"b":1}],"b":1}'],
  ])('does not mistake other repetition for it: %s', (text) => {
    expect(reason(text)).toBe('ok');
  });

  it('refuses U+0000 and lone surrogates, in keys and values, escaped or not', () => {
    for (const text of [
      '"\\u0000"',
      '{"\\u0000":1}',
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '{"\\ud800x":1}',
      '"\ud800"',
    ]) {
      expect(reason(text), text).toBe('forbidden_character');
    }
    expect(parseStrictJson('"\\ud83d\\ude00\\\\u0000"')).toEqual({ ok: true, value: '😀\\u0000' });
  });

  it('counts the outermost container as depth 1', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(reason(nested(32))).toBe('ok');
    expect(reason(nested(33))).toBe('too_deep');
    expect(reason('{"a":{"b":1}}', 2)).toBe('ok');
    expect(reason('{"a":{"b":[]}}', 2)).toBe('too_deep');
    expect(reason('"[[[[[["', 1)).toBe('ok');
    expect(reason(nested(30_000))).toBe('too_deep');
  });

  it('refuses what is not JSON', () => {
    for (const text of ['', '{', '{a:1}', "{'a':1}", '[1,]', '01', 'NaN', '"\n"', '1 2', '\ufeff{}']) {
      expect(reason(text), text).toBe('malformed');
    }
  });

  it('keeps __proto__ as inert data', () => {
    const parsed = parseStrictJson('{"__proto__":{"admin":true}}');
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('refuses bytes that are not UTF-8, and a byte order mark', () => {
    const bytes = (...values: number[]) => parseStrictJsonBytes(Uint8Array.from(values));
    expect(bytes(0x22, 0xc3, 0xa9, 0x22)).toEqual({ ok: true, value: 'é' });
    for (const bad of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xef, 0xbb, 0xbf, 0x7b, 0x7d],
    ]) {
      expect(bytes(...bad)).toEqual({ ok: false, reason: 'malformed' });
    }
  });

  it('takes linear time on 64 KiB of keys, escapes and brackets', () => {
    const many = `{${Array.from({ length: 6000 }, (_, i) => `"k${i}":1`).join(',')}}`;
    const readAll = () => {
      expect(reason(many)).toBe('ok');
      expect(reason(`"${'\\u0041'.repeat(10_000)}"`)).toBe('ok');
      expect(reason(`[${'[],'.repeat(20_000)}[]]`)).toBe('ok');
    };
    expect(bestTimeMs(readAll, 200)).toBeLessThan(200);
  });
});
