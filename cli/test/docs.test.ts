import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_VARIABLES } from '../../server/src/config/index.ts';
import { COMMANDS } from '../src/registry.ts';
import { ROOT } from './guides/blocks.ts';
import { commentsIn, commentsOf, SOURCE_FILES } from './guides/comments.ts';
import { brokenLinks, linksOf, markdownFiles } from './guides/links.ts';
import { DOCUMENTS, readingGrade, wordsOf, writtenText } from './guides/prose.ts';
import { TEST_FILES, titlesOf } from './guides/titles.ts';
import {
  COMMENT_WORDS,
  DOCUMENT_WORDS,
  foundWords,
  PAGE_WORDS,
  SOURCE_WORDS,
  TITLE_WORDS,
} from './guides/words.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('documents', () => {
  it('link only to existing files and headings', () => {
    const files = markdownFiles();
    expect(files).toContain('docs/decisions/0001-stack.md');
    expect(files.flatMap(brokenLinks)).toEqual([]);
  });

  it('can each be reached from the index', () => {
    const reached = new Set<string>();
    const open = ['docs/README.md'];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      if (file.endsWith('README.md')) open.push(...linksOf(file).filter((link) => link.endsWith('.md')));
    }
    const pages = markdownFiles().filter((file) => file.startsWith('docs/'));
    expect(pages.filter((file) => !reached.has(file))).toEqual([]);
  });

  it('name only existing scripts, commands and settings', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const names = Object.keys(COMMANDS);
    const tops = new Set(names.map((name) => name.split(' ')[0]));
    const unknown = DOCUMENTS.filter((file) => file !== 'CHANGELOG.md').flatMap((file) => {
      const text = read(file);
      const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
      return [
        ...found(/\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts)),
        ...found(/`payassent ([a-z][a-z-]*)/g).filter((name) => !tops.has(name) && name !== 'help'),
        ...found(/\b(SVC_[A-Z_]*[A-Z])\b(?!_?\*)/g).filter((name) => !isSetting(name)),
      ].map((name) => `${file}: ${name}`);
    });
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('run no package that is not published', () => {
    const files = [...new Set([...DOCUMENTS, ...templates()])];
    const told = files.filter((file) =>
      /npx (?:-y|--yes|payassent)|npm i(?:nstall)? (?:-g|--global) payassent/.test(read(file)),
    );
    // It is named there with the reason against it.
    expect([...new Set(told)]).toEqual(['RELEASING.md']);
  });

  it('have at most 60,000 words that people wrote, and pages that can be finished', () => {
    const counted = DOCUMENTS.map((file) => ({ file, words: wordsOf(writtenText(file)).length }));
    expect(counted.reduce((sum, { words }) => sum + words, 0)).toBeLessThan(60_000);
    const guides = counted.filter(({ file }) => file.startsWith('docs/guides/'));
    expect(guides.filter(({ words }) => words > 1_700)).toEqual([]);
    const long = counted.filter(({ words }) => words > 2_500).map(({ file }) => file);
    // One line for each threat, which is looked up and not read.
    expect(long).toEqual(['docs/security/threats.md']);
  });

  it('need at most twelve years of school to be read', () => {
    const graded = DOCUMENTS.map((file) => ({ file, grade: readingGrade(writtenText(file)) }));
    const tables = ['docs/decisions/0004-second-surface.md', 'docs/decisions/0005-sdk.md'];
    expect(graded.filter(({ file, grade }) => grade > 12 && !tables.includes(file))).toEqual([]);
  });

  it('use the words of the glossary', () => {
    const found = DOCUMENTS.flatMap((file) => foundWords(file, writtenText(file), DOCUMENT_WORDS));
    expect(found).toEqual([]);
  });

  it('give each decision one number and a status', () => {
    const files = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md');
    const numbers = files.map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
    const index = read('docs/decisions/README.md');
    for (const name of files) {
      const [title, , status] = read(`docs/decisions/${name}`).split('\n');
      expect(title, name).toMatch(new RegExp(`^# ${name.slice(0, 4)}\\. `));
      expect(status, name).toMatch(/^Status: (?:accepted|replaced by \[\d{4}\])/);
      expect(index).toContain(`](${name})`);
    }
  });
});

describe('figures', () => {
  it.each(['README.md', 'docs/proof/README.md'])('of %s are those of the run that they link to', (page) => {
    const faults = read(page)
      .split('\n')
      .flatMap((line) => {
        const sources = linksOf(page, line).filter((file) => /^docs\/proof\/\w+\.md$/.test(file));
        const published = sources.map((file) => `${read(file)} ${derivedFrom(file)}`).join('\n');
        const figures = wordsOf(line.replace(/\]\([^)]*\)|`[^`]*`/g, ' ')).filter((word) =>
          /^\d[\d,.]*$/.test(word),
        );
        return sources.length === 0
          ? []
          : figures
              .map((figure) => figure.replace(/[,.]$/, ''))
              .filter(
                (figure) =>
                  !new RegExp(`(?<![\\d,.])${figure.replaceAll('.', '\\.')}(?![\\d]|,\\d)`).test(published),
              )
              .map((figure) => `${page}: ${figure} is not in ${sources.join(', ')}`);
      });
    expect(faults).toEqual([]);
  });
});

describe('claims', () => {
  const claims = JSON.parse(read('docs/security/claims.json')) as {
    claim: string;
    said: Record<string, string>;
    never?: string;
  }[];
  const everything = [...DOCUMENTS, 'docs/ERRORS.md', 'docs/STATES.md'];

  it('are at least twenty', () => expect(claims.length).toBeGreaterThanOrEqual(20));

  it.each(claims)('$claim', ({ said, never }) => {
    for (const [file, words] of Object.entries(said)) expect(oneLine(read(file)), file).toContain(words);
    if (never === undefined) return;
    const against = everything.filter((file) => new RegExp(never).test(oneLine(read(file))));
    expect(against).toEqual([]);
  });
});

describe('sources', () => {
  const files = ['server', 'protocol', 'sdk', 'cli', 'web'].flatMap((folder) =>
    readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => join(folder, 'src', name)),
  );
  const isShown = (file: string) => /^web\/src\/texts\/(?!de\/)|\/mails\//.test(file);

  it('use the words of the glossary', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => foundWords(file, read(file), SOURCE_WORDS))).toEqual([]);
  });

  it('show people the words of the glossary', () => {
    const shown = files.filter(isShown);
    expect(shown.length).toBeGreaterThan(35);
    expect(shown.flatMap((file) => foundWords(file, shownText(file), PAGE_WORDS))).toEqual([]);
  });

  it('comment in the words of the glossary', () => {
    const comments = SOURCE_FILES.flatMap((file) => commentsOf(file).map((comment) => ({ file, comment })));
    expect(comments.length).toBeGreaterThan(8_000);
    expect(comments.flatMap(({ file, comment }) => foundWords(file, comment, COMMENT_WORDS))).toEqual([]);
  });

  it('have comments only where the language has them', () => {
    const code = "f('// text', /[/]\\/\\/'/, `/* text */`); // one `name`\n/** two\n * lines */";
    expect(commentsIn(code)).toEqual(['// one ', '/** two  lines */']);
  });
});

describe('titles of tests', () => {
  const titles = TEST_FILES.flatMap((file) => titlesOf(file).map((title) => ({ file, title })));

  it('use the words of the glossary', () => {
    expect(titles.length).toBeGreaterThan(3_500);
    expect(titles.flatMap(({ file, title }) => foundWords(file, title, TITLE_WORDS))).toEqual([]);
  });
});

/** The sentences of a file: what is quoted and has a space. Comments and names are for the readers of the code. */
function shownText(file: string): string {
  return [...read(file).matchAll(/'((?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*)'|`([^`]* [^`]*)`/g)]
    .map(([, quoted, template]) => quoted ?? template)
    .join('\n');
}

/** A setting of the service, a file of one, or one of the tests. */
function isSetting(name: string): boolean {
  return (
    name in CONFIG_VARIABLES ||
    name.replace(/_FILE$/, '') in CONFIG_VARIABLES ||
    /^SVC_(?:TEST|TORTURE)_/.test(name)
  );
}

/** Numbers that are rows of a published table and not written in it. */
function derivedFrom(file: string): string {
  if (file !== 'docs/proof/torture.md') return '';
  const rowsBelow = (head: string) => {
    const lines = read(file).split('\n');
    const start = lines.findIndex((line) => line.startsWith(head));
    return lines.slice(start + 2).findIndex((line) => !line.startsWith('|'));
  };
  return `${rowsBelow('| Invariant |')} ${rowsBelow('| Patch |')}`;
}

function templates(): string[] {
  return readdirSync(join(ROOT, 'cli/templates'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|json|js|ts)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join('cli/templates', name))
    .filter((name) => existsSync(join(ROOT, name)));
}
