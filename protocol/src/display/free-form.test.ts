import { describe, expect, it } from 'vitest';
import { checkFreeForm, measureJson } from './free-form.ts';

const BITCOIN = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const LIMITS = { maxBytes: 8192, maxDepth: 8 };

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

describe('measuring JSON', () => {
  it.each([
    [{}, 2, 1],
    [[], 2, 1],
    [{ a: 1 }, 7, 1],
    [{ a: [] }, 8, 2],
    [{ a: [{ b: 'é' }] }, 18, 3],
    ['€', 5, 1],
    ['💰', 6, 1],
    [null, 4, 1],
    [{ 'ü"\n': 0 }, 12, 1],
    ['\ud800', 8, 1],
  ])('%j has %i bytes and depth %i', (value, bytes, depth) => {
    expect(measureJson(value)).toEqual({ bytes, depth });
  });

  it('counts nesting exactly and calls what is no JSON infinite', () => {
    expect(measureJson(nested(8)).depth).toBe(8);
    expect(measureJson(nested(9)).depth).toBe(9);
    const loop: Record<string, unknown> = {};
    loop['x'] = loop;
    for (const value of [loop, 1n, undefined, nested(100)]) expect(measureJson(value).bytes).toBe(Infinity);
  });
});

describe('checking free-form data', () => {
  it('finds nothing in ordinary data', () => {
    const value = {
      title: 'Order 7',
      items: [{ name: 'Tea ☕️', qty: 2 }],
      shipping_address: { city: 'Porto' },
    };
    expect(checkFreeForm(value, 'display', { ...LIMITS, allowedAddresses: new Set() })).toEqual([]);
  });

  it('returns every issue in document order, those of the whole first', () => {
    const value = {
      a: `pay ${BITCOIN}`,
      to: 'x\u202e',
      list: ['\u200b', { memo: BITCOIN }],
      pad: 'x'.repeat(8192),
      deep: nested(8),
    };
    const issues = checkFreeForm(value, 'display', { ...LIMITS, allowedAddresses: new Set() });
    expect(issues.map(({ field, code }) => [field, code])).toEqual([
      ['display', 'too_long'],
      ['display', 'out_of_range'],
      ['display.a', 'risk_foreign_address'],
      ['display.to', 'display_override_forbidden'],
      ['display.to', 'risk_control_characters'],
      ['display.list[0]', 'risk_control_characters'],
      ['display.list[1].memo', 'display_override_forbidden'],
      ['display.list[1].memo', 'risk_foreign_address'],
    ]);
  });

  it('allows exactly the limits', () => {
    const pad = 8192 - '{"p":""}'.length;
    expect(checkFreeForm({ p: 'x'.repeat(pad) }, 'd', LIMITS)).toEqual([]);
    expect(checkFreeForm({ p: 'x'.repeat(pad + 1) }, 'd', LIMITS)).toMatchObject([
      { field: 'd', code: 'too_long' },
    ]);
    expect(checkFreeForm(nested(8), 'd', LIMITS)).toEqual([]);
    expect(checkFreeForm(nested(9), 'd', LIMITS)).toMatchObject([{ field: 'd', code: 'out_of_range' }]);
  });

  it('searches for addresses only with a list of the allowed ones', () => {
    expect(checkFreeForm({ a: BITCOIN }, 'd', {})).toEqual([]);
    expect(checkFreeForm({ a: BITCOIN }, 'd', { allowedAddresses: new Set([BITCOIN]) })).toEqual([]);
    expect(checkFreeForm({ a: BITCOIN }, 'd', { allowedAddresses: new Set() })).toHaveLength(1);
  });

  it('bans top-level names, unless the caller marks the value as a deeper one', () => {
    expect(checkFreeForm({ to: 1 }, 'd', { topLevel: false })).toEqual([]);
    expect(checkFreeForm({ to: 1 }, 'd', {})).toHaveLength(1);
  });

  it('lists many issues of one kind, and hides no other behind them', () => {
    const value = { texts: Array.from({ length: 300 }, () => '\u200b'), memo: 1 };
    const codes = checkFreeForm(value, 'd', {}).map(({ code }) => code);
    expect(codes).toHaveLength(301);
    expect(codes.at(-1)).toBe('display_override_forbidden');
  });
});
