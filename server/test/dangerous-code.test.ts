import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Our own sources below these folders, without tests and without what is built from them. */
function sourcesIn(...folders: string[]): { path: string; text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => /\.(ts|tsx|js|html)$/.test(path) && !/\.test\.ts$|\/app\//.test(path))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
}

function linesWith(sources: { path: string; text: string }[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );
}

const ALL = sourcesIn('protocol/src', 'sdk/src', 'server/src', 'server/pages', 'web/src', 'cli/src');

describe('what would be dangerous', () => {
  it('finds the sources', () => {
    expect(ALL.length).toBeGreaterThan(500);
  });

  it('no text becomes code: no eval, no markup from strings', () => {
    const pattern =
      /\beval\(|\bnew Function\(|\.innerHTML|\.outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\bsrcdoc\b|set(Timeout|Interval)\(\s*['"`]/;
    expect(linesWith(ALL, pattern)).toEqual([]);
  });

  it('no statement is made of text that a caller sent: what goes in unescaped is a constant of the source', () => {
    // They take the names of tables and columns, which the next test checks.
    const takesNames = ['server/src/features/page.ts', 'server/src/features/forget-after.ts'];
    const features = ALL.filter(
      ({ path }) => path.startsWith('server/src/features/') && !takesNames.includes(path),
    );
    const unescaped = linesWith(features, /\.unsafe\(/);
    expect(unescaped.length).toBeGreaterThan(0);
    // The aliases of tables are a type of two letters.
    const constant =
      /\.unsafe\(([A-Z][A-Z_]*|timeJson\('\w+'\)|is(?:EndedByAct|Recalled)\('[ro]'\)|recallOf\(alias\)|alias|layoutOf\(tx\)\.connectionKey)\)/g;
    expect(unescaped.filter((line) => line.replaceAll(constant, '').includes('.unsafe('))).toEqual([]);
    expect(unescaped.filter((line) => line.search(constant) < 0)).toEqual([]);
  });

  it('names of tables and columns are written where a page or a retention rule is', () => {
    const source = ALL.filter(({ path }) => path.startsWith('server/src/features/'))
      .map(({ text }) => text)
      .join('\n');
    const calls = [...source.matchAll(/(?<!function )\b(newestFirst|forgetAfter)\((?:[^()]|\([^()]*\))*\)/g)];
    expect(calls.length).toBeGreaterThan(15);
    const names = /newestFirst\([^']*'[a-z_.]+'\)$|table: '[a-z_]+',\s+key: '[a-z_, ]+'/;
    expect(calls.map(([call]) => call).filter((call) => !names.test(call))).toEqual([]);
  });

  it('no statement goes by a row’s place, which is unique within one partition or shard only', () => {
    expect(linesWith(ALL, /\bctid\b/)).toEqual([]);
  });

  it('no feature starts a program or touches a file', () => {
    // They take the names of tables and columns, which the next test checks.
    const takesNames = ['server/src/features/page.ts', 'server/src/features/forget-after.ts'];
    const features = ALL.filter(
      ({ path }) => path.startsWith('server/src/features/') && !takesNames.includes(path),
    );
    const imports = linesWith(
      features,
      /from 'node:(child_process|fs|fs\/promises|vm|worker_threads|net|tls|dgram)'/,
    );
    // The pages that are served are read once, from the package.
    expect(imports.filter((line) => !line.startsWith('server/src/features/pages/'))).toEqual([]);
  });

  it('randomness that must not be guessed never comes from Math.random', () => {
    const files = linesWith(ALL, /Math\.random\(/).map((line) => line.slice(0, line.indexOf(':')));
    // There it distinguishes processes, which needs no secrecy.
    expect(files).toEqual(['server/src/db/signals.ts']);
  });
});
