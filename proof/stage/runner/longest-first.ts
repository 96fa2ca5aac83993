import { closeSync, openSync, readSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first line of a file that takes more than 20 seconds. */
const SAYS_LONG = /^\/\/ (?:Long|Slow):/;
const IN_BROWSER = /\/web\/test\//;

/**
 * Long files first, then those in a browser: in a fresh clone nothing else is known of what files take, and a long file
 * that begins last leaves the other workers idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = new Map(sorted.map((file) => [file, rankOf(file.moduleId)]));
    return sorted.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  }
}

function rankOf(path: string): number {
  if (SAYS_LONG.test(beginningOf(path))) return 0;
  return IN_BROWSER.test(path) ? 1 : 2;
}

function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
