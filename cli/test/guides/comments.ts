import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './blocks.ts';

const PACKAGES = ['protocol', 'sdk', 'server', 'cli', 'web', 'proof'];
const PARTS = ['src', 'test', 'docs', 'bench', 'drills', 'stage', 'torture'];

/** Comments first; strings and regular expressions only so that nothing in them counts as a comment. */
const TOKEN =
  /(\/\*[\s\S]*?\*\/|\/\/.*)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};>]\s*|\breturn )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;

/** The code of every package, its tests included, and of the scripts. */
export const SOURCE_FILES: readonly string[] = [
  ...PACKAGES.flatMap((name) => PARTS.map((part) => join(name, part))),
  'web/public',
  'scripts',
]
  .filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:m?[jt]s|tsx|css)$/.test(file) && !/node_modules|fixtures/.test(file))
      .map((file) => join(folder, file)),
  );

/** The comments of a file, each in one line, without the names of the code that they quote in backticks. */
export function commentsOf(file: string): string[] {
  return commentsIn(readFileSync(join(ROOT, file), 'utf8'));
}

export function commentsIn(code: string): string[] {
  return [...code.matchAll(TOKEN)].flatMap(([, comment]) =>
    comment === undefined ? [] : [comment.replace(/\n\s*\*?/g, ' ').replace(/`[^`]*`/g, '')],
  );
}
