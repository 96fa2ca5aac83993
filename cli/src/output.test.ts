import { describe, expect, it } from 'vitest';
import { harmless, listing, plain, shortName, wrap } from './output.ts';

describe('text that others wrote', () => {
  it('is on one line, with escape and control characters written out and blanks squeezed', () => {
    expect(plain('a\u001b]0;title\u0007b')).toBe('a<U+001B>]0;title<U+0007>b');
    expect(plain('\u001b[2J\u009b1m')).toBe('<U+001B>[2J<U+009B>1m');
    expect(plain('a\u202eb\u200bc\u3164d\u{e0041}')).toBe('a<U+202E>b<U+200B>c<U+3164>d<U+E0041>');
    expect(plain(' a \n\r\n\t\u00a0\u3000\u2028\u2800 b  ')).toBe('a b');
  });

  it('is cut where it names something', () => {
    expect(shortName('pr_1')).toBe('pr_1');
    expect(shortName('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
    expect(shortName('漢'.repeat(40)).length).toBe(30);
  });

  it('keeps lines and the colours of this program, and nothing else, in what is printed', () => {
    const coloured = '\u001b[1mbold\u001b[0m\n\u001b[31mred\u001b[0m';
    expect(harmless(coloured)).toBe(coloured);
    expect(harmless('\u001b[8mhidden\u001b[0m\r\u001b]8;;x\u0007')).toBe(
      '<U+001B>[8mhidden\u001b[0m<U+000D><U+001B>]8;;x<U+0007>',
    );
  });
});

describe('lines', () => {
  it.each([
    ['one two three', 8, ['one two', 'three']],
    ['one two', 7, ['one two']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['ab cdefghij kl', 5, ['ab', 'cdefg', 'hij', 'kl']],
    ['漢字漢字', 4, ['漢字', '漢字']],
    ['\u001b[1mbold text\u001b[0m', 4, ['\u001b[1mbold', 'text\u001b[0m']],
    ['', 4, ['']],
  ])('%j in %i columns', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  it.each([20, 33, 80, 200])(
    'never reach the end of a terminal of %i columns, and all have the margin',
    (columns) => {
      const rows: [string, string][] = [
        ['title', `Two tickets ${'x '.repeat(150)}`],
        ['a name that is longer than it has any reason to be, really', 'y'.repeat(300)],
        ['漢字', '漢字'.repeat(60)],
      ];
      for (const entries of [rows, rows.slice(0, 1), rows.slice(2)]) {
        for (const line of listing(entries, '    | ', columns).split('\n')) {
          expect(line).toMatch(/^ {4}\| /);
          const width = Array.from(line, (letter) => (letter > '\u10ff' ? 2 : 1)).reduce(
            (sum, one) => sum + one,
            0,
          );
          expect(width).toBeLessThan(columns);
        }
      }
    },
  );
});
