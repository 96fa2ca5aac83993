/**
 * Writes protocol/src/display/confusable-letters.ts from the Unicode file confusables.txt (UTS #39), which is given as
 * the only argument: https://www.unicode.org/Public/security/latest/confusables.txt. Only characters that resemble one
 * of the letters a to z are kept, without ASCII and without characters that compatibility decomposition has replaced
 * before the table is used.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const [source] = process.argv.slice(2);
if (source === undefined) {
  process.stderr.write('usage: node scripts/confusables.mjs <confusables.txt>\n');
  process.exit(2);
}

const text = readFileSync(source, 'utf8');
const version = /^# Version: (\S+)$/m.exec(text)?.[1];
if (version === undefined) throw new Error('This is not confusables.txt: it names no version.');

const letters = new Map(Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [letter, []]));
for (const line of text.split('\n')) {
  const [from, to] = /^[\s\uFEFF]*([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/.exec(line)?.slice(1) ?? [];
  if (from === undefined || to === undefined) continue;
  const character = String.fromCodePoint(Number.parseInt(from, 16));
  if (character.normalize('NFKD') !== character || character < '\u0080') continue;
  const letter = letterOf(String.fromCodePoint(...to.split(' ').map((code) => Number.parseInt(code, 16))));
  if (letter !== undefined && letterOf(character) !== letter)
    letters.get(letter).push(Number.parseInt(from, 16));
}

/** The one letter that a text shows; marks do not count, and the standard writes "m" as "rn". */
function letterOf(shown) {
  const bare = shown.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (bare === 'rn') return 'm';
  return /^[a-z]$/.test(bare) ? bare : undefined;
}

const distances = (codes) => codes.map((code, at) => (code - (codes[at - 1] ?? 0)).toString(36));

const rows = [...letters]
  .filter(([, codes]) => codes.length > 0)
  .map(([letter, codes]) => `  ${letter}: '${distances(codes.toSorted((a, b) => a - b)).join(' ')}',`);

writeFileSync(
  new URL('../protocol/src/display/confusable-letters.ts', import.meta.url),
  `// Written by scripts/confusables.mjs from confusables.txt of Unicode ${version} (UTS #39). Do not edit.

/**
 * Code points that resemble a letter, sorted, each as the distance from the previous one in base 36. That takes half
 * the space of hexadecimal, and wallets load this table before their first view.
 */
export const CONFUSABLE_LETTERS: Readonly<Record<string, string>> = {
${rows.join('\n')}
};
`,
);
