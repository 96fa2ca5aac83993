import { describe, expect, it } from 'vitest';
import { findRiskyText } from './text-risk.ts';

function isRisky(text: string): boolean {
  return findRiskyText(text, 'name').length > 0;
}

describe('risky text', () => {
  it('refuses every C0 and C1 control, and DEL, except tab, line feed and carriage return', () => {
    for (let code = 0; code <= 0x9f; code += 1) {
      const isControl = code < 0x20 || code >= 0x7f;
      const isExempt = code === 0x09 || code === 0x0a || code === 0x0d;
      expect(isRisky(`a${String.fromCharCode(code)}b`), code.toString(16)).toBe(isControl && !isExempt);
    }
  });

  it.each([
    ['bidi embeddings, overrides and isolates', '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'],
    ['bidi marks', '\u061c\u200e\u200f'],
    ['tag characters', '\u{e0001}\u{e0020}\u{e0041}\u{e007f}'],
    ['soft hyphen, joiners and fillers', '\u00ad\u034f\u115f\u1160\u17b4\u180b\u180e\u3164\uffa0'],
    ['zero width', '\u200b\u200c\u2060\u2061\u2064\ufeff'],
    ['variation selectors but the emoji one', '\ufe00\ufe0e\u{e0100}\u{e01ef}'],
    ['other default-ignorables', '\u{1d173}\u{1bca0}\u{e0fff}\ufff0'],
  ])('refuses %s', (_name, characters) => {
    for (const character of characters) {
      expect(isRisky(`pay${character}me`), character.codePointAt(0)?.toString(16)).toBe(true);
    }
  });

  it.each([
    'Invoice 42\tfor\nMüller & Søn — 100 %',
    'Ελληνικά, עברית, العربية, हिन्दी, 日本語, ไทย',
    'é as e\u0301',
    '❤️ ✔️ ☎️ ©️',
    '1️⃣ #️⃣ *️⃣',
    '👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍🚀 🧑‍🤝‍🧑 🏴‍☠️ 🐈‍⬛ ❤️‍🔥 🏃‍♀️‍➡️',
    '🇵🇹 👍🏾',
  ])('lets %j pass', (text) => {
    expect(findRiskyText(text, 'name')).toEqual([]);
  });

  it.each([
    ['a variation selector after a letter', 'a\ufe0f'],
    ['a variation selector after a digit that is no keycap', '1\ufe0f2'],
    ['a variation selector at the start', '\ufe0fabc'],
    ['two variation selectors', '❤\ufe0f\ufe0f'],
    ['a joiner between letters', 'pay\u200dpal'],
    ['a joiner after an emoji at the end', '👩\u200d'],
    ['a joiner before an emoji at the start', '\u200d👩'],
    ['a joiner from an emoji to a letter', '👩\u200da'],
    ['two joiners', '👩\u200d\u200d👩'],
    ['a joiner after a styled letter', 'a\ufe0f\u200d👩'],
    ['an emoji flag of tags', '🏴\u{e0067}\u{e0062}\u{e007f}'],
  ])('refuses %s', (_name, text) => {
    expect(isRisky(text)).toBe(true);
  });

  it('names the place, the character and what it does, one issue for each text', () => {
    expect(findRiskyText('💰pay\u202e\u202e', 'display.title')).toEqual([
      {
        field: 'display.title',
        code: 'risk_control_characters',
        message: 'Character 5 is U+202E, which changes the direction of the text; remove it.',
      },
    ]);
    expect(findRiskyText('a\u0007', 'n')[0]?.message).toBe(
      'Character 2 is U+0007, a control character; remove it.',
    );
    expect(findRiskyText('a\u00ad', 'n')[0]?.message).toBe(
      'Character 2 is U+00AD, an invisible character; remove it.',
    );
    expect(findRiskyText('a\u{e0041}', 'n')[0]?.message).toMatch(/U\+E0041, a tag character/);
  });

  it('checks every text value and member name, in document order', () => {
    const value = { b: ['ok', '\u200b'], 'k\u200bey': 1, a: { c: '\u202e', n: 5, t: true, z: null } };
    expect(findRiskyText(value, 'metadata').map(({ field }) => field)).toEqual([
      'metadata.b[1]',
      'metadata.k\u200bey',
      'metadata.a.c',
    ]);
    expect(findRiskyText({ 'a\u001b': 1 }, 'd')[0]?.message).toBe(
      'Character 2 of the name is U+001B, a control character; remove it.',
    );
  });

  it('reports what it could not check', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(findRiskyText(loop, 'd')[0]?.code).toBe('out_of_range');
  });
});
