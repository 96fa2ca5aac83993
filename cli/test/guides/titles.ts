import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './blocks.ts';

const PACKAGES = ['protocol', 'sdk', 'server', 'cli', 'web', 'proof'];

/** A string as the first argument of a test or a group, also of one with `each` or a condition before it. */
const TITLE =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`),\s/g;

/** Files with tests, and those that tests share. */
export const TEST_FILES: readonly string[] = PACKAGES.flatMap((name) =>
  ['src', 'test', 'torture']
    .map((part) => join(name, part))
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(
          (file) => /\.(?:test|torture)\.ts$/.test(file) || (/\.ts$/.test(file) && !/src$/.test(folder)),
        )
        .map((file) => join(folder, file)),
    ),
);

/** The titles of a file, without values of the code. What a test needs is a reason that reports count. */
export function titlesOf(file: string): string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(TITLE)].map(([, title = '']) =>
    title.slice(1, -1).replace(/\$\{[^}]*\}|\(needs [^)]*\)/g, ''),
  );
}
