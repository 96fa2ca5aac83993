import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './blocks.ts';

/** Pages that a program writes whole, and which one. */
const WRITTEN_BY_PROGRAMS: Readonly<Record<string, string>> = {
  'docs/API.md': 'npm run generate',
  'docs/AUDIT-EVENTS.md': 'npm run generate',
  'docs/ERRORS.md': 'npm run generate',
  'docs/NETWORKS.md': 'npm run generate',
  'docs/ROLES.md': 'npm run generate',
  'docs/STATES.md': 'npm run generate',
  'docs/SDK-REFERENCE.md': 'the tests of the SDK (sdk/test/api-page)',
  'docs/operators/what-works-when-a-part-is-down.md': 'its test (server/test/part-down)',
  'docs/proof/bench.md': 'npm run bench',
};

/** Documents that people write: every Markdown file of the repository, but for those above and copies of packages. */
export const DOCUMENTS: readonly string[] = [
  ...readdirSync(ROOT),
  ...['.github', 'docs', 'cli/templates', 'proof/bench', 'server/vendor/postgres'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
  ...['cli', 'protocol', 'sdk', 'server'].map((folder) => join(folder, 'README.md')),
]
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
  .filter((name) => !(name in WRITTEN_BY_PROGRAMS))
  .sort();

/** What people wrote on a page: without code, figures of published runs, tables of the code and names of tests. */
export function writtenText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
    .replace(/<!-- ([\w ]+?)(?:: written[^>]*)? -->\n[\s\S]*?<!-- end of \1 -->/g, '')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]+\.test\.ts`: “[^”]*”/g, '')
    .replace(/^\|[-| :]+\|$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/`[^`\n]*`/g, 'x');
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}’'.,-]*/gu) ?? [];
}

/** Flesch-Kincaid: years of school that a reader needs. Of running text alone, because cells are no sentences. */
export function readingGrade(text: string): number {
  const prose = text
    .split('\n')
    .filter((line) => /^[\p{L}*"“[(-]/u.test(line))
    .join('\n');
  const sentences = prose.split(/[.!?:;](?:\s|$)|\n{2,}|\n- /).filter((part) => wordsOf(part).length > 0);
  const words = wordsOf(prose);
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
}

function syllablesOf(word: string): number {
  const groups = word
    .toLowerCase()
    .replace(/e$/, '')
    .match(/[aeiouy]+/g);
  return Math.max(1, groups?.length ?? 1);
}
