import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countReasons, reasonIn } from '@payassent/proof/runner/reporter';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['protocol', 'sdk', 'server', 'world', 'cli', 'web', 'proof'];
/** The layout of the database is one reason for all, which the reporter knows. */
const LAYOUT = /^(isDistributedRun|isPartitionedRun|isPlainRun)$/;
/** A condition, and the title behind it; `each` may be between the two. */
const CONDITIONAL = /\.(?:skipIf|runIf)\(([^\n]+?)\)(?:\s*\.each\([^)]*\))?\(\s*(['"`][^\n]*)/g;

const files = FOLDERS.flatMap((folder) =>
  ['src', 'test', 'torture'].flatMap((part) => testFilesIn(join(ROOT, folder, part))),
);

function testFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}

describe('a test that may be left out', () => {
  it('names in its title what it needs', () => {
    const silent = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(CONDITIONAL)]
        .filter(([, condition = '', title = '']) => {
          const isStated = reasonIn(title) !== undefined || /\$\{\w*[rR]eason\}|left out: \$\{/.test(title);
          return !isStated && !LAYOUT.test(condition);
        })
        .map(([, , title]) => `${file.slice(ROOT.length)}: ${title}`),
    );
    expect(files.length).toBeGreaterThan(200);
    expect(silent).toEqual([]);
  });

  it.each([
    ['behind PgBouncer (needs the program pgbouncer) keeps its promises', 'needs the program pgbouncer'],
    ['the wallet (skipped: no Chromium) asks', 'no Chromium'],
    [
      'a cluster (left out: Build citus (13.2 or newer) first.) is made',
      'Build citus (13.2 or newer) first.',
    ],
    ['a title (with brackets) that needs nothing', undefined],
  ])('is counted by the reason in "%s"', (title, reason) => {
    expect(reasonIn(title)).toBe(reason);
  });

  it('is counted with those of the same reason, and a run names ten reasons at most', () => {
    expect(countReasons(['b', 'a', 'a'])).toEqual(['2 tests, a', '1 test, b']);
    const many = countReasons(Array.from({ length: 30 }, (_, index) => `reason ${index}`));
    expect([many.length, many.at(-1)]).toEqual([10, 'tests for 21 further reasons']);
  });
});
