import { describe, expect, it } from 'vitest';
import { showHidden } from '../src/ui/hidden-characters.ts';

describe('one flow of foreign text', () => {
  it.each([
    ['a name with words', 'Harbour Books', 'Harbour Books'],
    ['another space between words', 'Caf\u00e9\u00a0du\u2003Port\u3000', 'Caf\u00e9 du Port '],
    ['emoji and their style', 'Books \u2764\ufe0f', 'Books \u2764\ufe0f'],
    ['line feeds', `Shop${'\n'.repeat(190)}x`, 'Shop⟨⏎ ×190⟩x'],
    ['one line feed', 'a\nb', 'a⟨⏎⟩b'],
    ['carriage returns', 'a\r\n\r\nb', 'a⟨U+000D⟩⟨⏎⟩⟨U+000D⟩⟨⏎⟩b'],
    ['tabs', 'a\t\tb', 'a⟨⇥ ×2⟩b'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['the next-line control', 'a\u0085b', 'a⟨U+0085⟩b'],
    ['vertical tab and form feed', 'a\v\fb', 'a⟨U+000B⟩⟨U+000C⟩b'],
    ['a gap of plain spaces', `a${' '.repeat(50)}b`, 'a⟨␣ ×50⟩b'],
    ['a gap of wide spaces', `a${'\u3000'.repeat(9)}b`, 'a⟨U+3000 ×9⟩b'],
    ['a gap of mixed spaces', 'a \u00a0 b', 'a⟨␣⟩⟨U+00A0⟩⟨␣⟩b'],
    ['signs that are drawn as nothing', 'a\u2800\u2800b\u{1d159}c', 'a⟨U+2800 ×2⟩b⟨U+1D159⟩c'],
    ['letters without a shape', 'a\u3164b\u115fc', 'a⟨U+3164⟩b⟨U+115F⟩c'],
    ['a change of direction', 'a\u202eb', 'a⟨U+202E⟩b'],
  ])('shows %s', (_what, text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });
});
