import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Every source file of the SDK by its path below `src`. */
export function sourceFiles(): Map<string, string> {
  const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(SOURCE, path), 'utf8')]));
}
