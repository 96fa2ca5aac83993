import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = new URL('docs/security/', root);
const model = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

/** The rows of the tables below a heading, cell by cell, without their heads. */
function rowsBelow(heading: string): string[][] {
  const start = model.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`no section is called ${heading}`);
  const end = model.indexOf('\n## ', start + 1);
  return model
    .slice(start, end < 0 ? undefined : end)
    .split('\n')
    .filter(
      (line, index, lines) =>
        line.startsWith('|') && !/^\|[-|: ]+\|$/.test(line) && isBelowHead(lines, index),
    )
    .map(cellsOf);
}

function isBelowHead(lines: readonly string[], index: number): boolean {
  return !/^\|[-|: ]+\|$/.test(lines[index + 1] ?? '');
}

/** The rows of every table that has this head, wherever it is. */
function rowsUnder(text: string, head: readonly string[]): string[][] {
  const lines = text.split('\n');
  const start = lines.indexOf(`| ${head.join(' | ')} |`);
  if (start < 0) return [];
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(start + 2, length < 0 ? undefined : start + length).map(cellsOf);
  return [...rows, ...rowsUnder(lines.slice(start + 1).join('\n'), head)];
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

interface NamedTest {
  file: string;
  title: string;
}

function testsIn(cell: string): NamedTest[] {
  return [...cell.matchAll(/`([^`]+\.test\.ts)`: “([^”]+)”/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  }));
}

/** A title as the source of its file spells it, in one of the three kinds of quotes. */
function isTitleIn(source: string, title: string): boolean {
  const spellings = [title, title.replaceAll("'", "\\'")];
  return spellings.some((text) =>
    [`'${text}'`, `"${text}"`, `\`${text}\``].some((quoted) => source.includes(quoted)),
  );
}

function faultsOf({ file, title }: NamedTest): string[] {
  const path = fileURLToPath(new URL(file, root));
  if (!existsSync(path)) return [`${file} does not exist`];
  const source = readFileSync(path, 'utf8');
  return isTitleIn(source, title) ? [] : [`${file} has no test "${title}"`];
}

/** What is wrong with a row that names for a sentence the code that makes it true and the test that holds it. */
function faultsOfRule([sentence = '', code = '', test = '', ...rest]: readonly string[]): string[] {
  const files = [...code.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  const tests = testsIn(test);
  const isWhole = sentence !== '' && files.length > 0 && tests.length > 0 && rest.length === 0;
  return [
    ...(isWhole ? [] : [`"${sentence}" does not name a sentence, its code and its test`]),
    ...files
      .filter((file) => !existsSync(fileURLToPath(new URL(file, root))))
      .map((file) => `${file} does not exist`),
    ...tests.flatMap(faultsOf),
  ];
}

const RULE = ['Sentence', 'Code', 'Test'];
const rules = rowsUnder(model, RULE);
const threats = rowsBelow('Threats');
const asvs = rowsBelow('OWASP ASVS 5.0, level 2');
const gaps = rowsBelow('What is not met');

describe('the security model', () => {
  it('names for every threat an existing guard and test', () => {
    expect(threats.length).toBeGreaterThan(60);
    const faults = threats.flatMap(([threat = '', guard = '', cell = '', ...rest]) => {
      const tests = testsIn(cell);
      const shape =
        threat === '' || guard === '' || rest.length > 0 ? [`"${threat}" has not three cells`] : [];
      return [...shape, ...(tests.length === 0 ? [`"${threat}" names no test`] : tests.flatMap(faultsOf))];
    });
    expect(faults).toEqual([]);
  });

  it('names for every proof what it is bound to, the code that makes it so and the test that holds it', () => {
    expect(rules.map(([sentence]) => /^\*\*(N\d+)\.\*\* /.exec(sentence ?? '')?.[1])).toEqual(
      Array.from({ length: 23 }, (_, index) => `N${index + 1}`),
    );
    expect(rules.flatMap(faultsOfRule)).toEqual([]);
  });

  it('lists every threat once', () => {
    const names = threats.map(([threat]) => threat);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has a line for every group of ASVS 5.0 that has requirements of level 1 or 2', () => {
    const groups = asvs.map(([group]) => group);
    const expected = Object.entries(GROUPS).flatMap(([chapter, numbers]) =>
      numbers.map((number) => `${chapter}.${number}`),
    );
    expect(groups).toEqual(expected);
  });

  it('names for every group the test or document that meets it, why it does not apply, or which gap it has', () => {
    const known = new Set(gaps.map(([number]) => number));
    const faults = asvs.flatMap(([group = '', , cell = '']) => {
      const tests = testsIn(cell);
      const documents = [...cell.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
      const named = [...cell.matchAll(/\bG\d+\b/g)].map(([number]) => number);
      const missing = documents.filter((path) => !existsSync(fileURLToPath(new URL(path, folder))));
      const isStated =
        tests.length + documents.length + named.length > 0 || cell.startsWith('not applicable');
      return [
        ...tests.flatMap(faultsOf),
        ...missing.map((path) => `${group}: ${path} does not exist`),
        ...named
          .filter((number) => !known.has(number))
          .map((number) => `${group}: there is no gap ${number}`),
        ...(isStated ? [] : [`${group} names no test, document or gap`]),
      ];
    });
    expect(faults).toEqual([]);
  });

  it('would notice a test that is gone', () => {
    expect(
      faultsOf({ file: 'server/test/security-model.test.ts', title: 'would notice a test that is gone' }),
    ).toEqual([]);
    expect(faultsOf({ file: 'server/test/nothing.test.ts', title: 'x' })).toHaveLength(1);
    const own = '`server/test/security-model.test.ts`';
    const table = (code: string, test: string) =>
      `| ${RULE.join(' | ')} |\n|---|---|---|\n| it is so | ${code} | ${test} |\n\nmore`;
    const faults = (...cells: [string, string]) => rowsUnder(table(...cells), RULE).flatMap(faultsOfRule);
    expect(faults(own, `${own}: “would notice a test that is gone”`)).toEqual([]);
    expect(faults('`server/src/nothing.ts`', `${own}: “would notice a test that is gone”`)).toHaveLength(1);
    expect(faults(own, `${own}: “is no test of this file”`)).toHaveLength(1);
    expect(faults('somewhere', 'a test')).toHaveLength(1);
    expect(
      faultsOf({ file: 'server/test/kernel.test.ts', title: 'is a test that nobody wrote' }),
    ).toHaveLength(1);
  });
});

/** Sections of ASVS 5.0 with at least one requirement of level 1 or 2. */
const GROUPS: Record<string, readonly number[]> = {
  V1: [1, 2, 3, 4, 5],
  V2: [1, 2, 3, 4],
  V3: [2, 3, 4, 5, 7],
  V4: [1, 2, 3, 4],
  V5: [1, 2, 3, 4],
  V6: [1, 2, 3, 4, 5, 6, 8],
  V7: [1, 2, 3, 4, 5, 6],
  V8: [1, 2, 3, 4],
  V9: [1, 2],
  V10: [1, 2, 3, 4, 5, 6, 7],
  V11: [1, 2, 3, 4, 5, 6],
  V12: [1, 2, 3],
  V13: [1, 2, 3, 4],
  V14: [1, 2, 3],
  V15: [1, 2, 3],
  V16: [1, 2, 3, 4, 5],
  V17: [1, 2, 3],
};
