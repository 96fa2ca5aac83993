import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const LIMIT_BYTES = 130_000;
const read = (path: string) =>
  readFileSync(new URL(`../../server/pages/app/${path}`, import.meta.url)).toString();
const script = (name: string) => read(`web/assets/${name}`);
const imports = (name: string, how: RegExp) =>
  [...script(name).matchAll(how)].map(([, found]) => found ?? '').filter((found) => found.endsWith('.js'));
const needs = (name: string) => imports(name, /(?:from|import)\s*["'`]\.\/([\w.-]+)["'`]/g);
const loadsLater = (name: string) => imports(name, /import\(\s*["'`]\.\/([\w.-]+)["'`]/g);

/** These scripts and all that they cannot run without. */
function together(...names: string[]): string[] {
  const all = new Set(names);
  for (const name of all) for (const other of needs(name)) all.add(other);
  return [...all];
}

/** As they are sent to every browser of today. */
const compressed = (names: string[]) =>
  names.reduce((sum, name) => sum + brotliCompressSync(script(name)).length, 0);

// The view of a visitor is in the first script; the one of someone known there is loaded by it.
describe.each([
  ['wallet', 'enrolled'],
  ['portal', 'home-page'],
])('the built %s', (page, inside) => {
  const html = read(`${page}/index.html`);
  const first = /<script[^>]*src="\/web\/assets\/([\w.-]+)"/.exec(html)?.[1] ?? '';

  it('loads at most 130 kB of scripts, compressed, before a visitor can use it', () => {
    const scripts = together(first);
    expect(scripts.length).toBeGreaterThan(1);
    expect(compressed(scripts)).toBeLessThan(LIMIT_BYTES);
    // In the page itself, or each would be found out about only after another has come.
    for (const name of scripts) expect(html).toContain(name);
  });

  it('loads at most 130 kB of scripts, compressed, before someone known there can use it', () => {
    const view = together(first)
      .flatMap(loadsLater)
      .find((name) => name.startsWith(`${inside}-`));
    expect(view).toBeDefined();
    expect(compressed(together(first, view ?? ''))).toBeLessThan(LIMIT_BYTES);
  });
});

it('the wallet names every file that it can load later, so that all of it opens without a network', () => {
  const html = read('wallet/index.html');
  const named = new Set(html.match(/(?<=\/web\/assets\/)[\w.-]+/g));
  const later = [...named].filter((name) => name.endsWith('.js')).flatMap(loadsLater);
  expect(later.length).toBeGreaterThan(10);
  expect(later.flatMap((name) => together(name)).filter((name) => !named.has(name))).toEqual([]);
});
