import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join(source, name));
const packageJson: Record<'dependencies' | 'peerDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const dependencies = Object.keys(packageJson.dependencies);
/** Brought along by those who import the schemas; the rest of the package must do without. */
const peers = Object.keys(packageJson.peerDependencies);
const mayNeedPeers = (file: string) => /^src\/(?:api|records)\//.test(relative(root, file));

const withoutComments = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
const importsOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s[^'"`;=]*?\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

describe('the protocol package', () => {
  it('imports nothing but its own files and its declared dependencies, and only its schemas need a peer', () => {
    const foreign = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const allowed = specifier.startsWith('.')
          ? specifier.endsWith('.ts') && resolve(dirname(file), specifier).startsWith(source + sep)
          : [...dependencies, ...(mayNeedPeers(file) ? peers : [])].some(
              (name) => specifier === name || specifier.startsWith(`${name}/`),
            );
        return allowed ? [] : [`${relative(root, file)}: ${specifier}`];
      }),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(50);
    expect(foreign).toEqual([]);
  });

  it('reads no clock, no randomness, no environment, no network and no Node global', () => {
    const impure =
      /\b(?:process|Buffer|require|fetch|setTimeout|setInterval|console|__dirname|XMLHttpRequest|localStorage)\s*[.([]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\.(?:getRandomValues|subtle)|\bawait import\b/;
    const found = files.flatMap((file) => {
      const hit = impure.exec(withoutComments(readFileSync(file, 'utf8')));
      return hit === null ? [] : [`${relative(root, file)}: ${hit[0]}`];
    });
    expect(found).toEqual([]);
  });

  it('keeps its files short enough to read', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 401);
    expect(long.map((file) => relative(root, file))).toEqual([]);
  });
});
