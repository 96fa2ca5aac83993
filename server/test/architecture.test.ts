import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HOT_STEPS, ORDINARY_STEPS } from '../src/http/pipeline/order.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${ROOT}docs/ARCHITECTURE.md`, 'utf8');

function section(title: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}

/** Every path of the drawn tree, from the indentation of its lines. Several files may be in one line. */
function drawnPaths(): string[] {
  const lines = /```\n(.*?)```/s.exec(section('The map'))?.[1]?.split('\n') ?? [];
  const above: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)(\S+(?: \S+\.ts)*)/.exec(line) ?? [];
    const depth = indent.length / 2;
    above.length = depth;
    const paths = names.split(' ').filter((name) => name !== '');
    above[depth] = paths[0] ?? '';
    return paths.map((name) => above.slice(0, depth).join('') + name);
  });
}

describe('the architecture page', () => {
  it('draws files and folders that exist, and every folder at the top', () => {
    const drawn = drawnPaths();
    expect(drawn.length).toBeGreaterThan(30);
    expect(drawn.filter((path) => !existsSync(ROOT + path))).toEqual([]);
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(`${ROOT}${entry.name}/package.json`))
      .map(({ name }) => `${name}/`);
    expect(folders.filter((name) => !drawn.includes(name) && name !== 'node_modules/')).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = [...text.matchAll(/`([a-z][\w./-]*\/[\w.-]+\.(?:ts|md)|[\w-]+\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    const files = readdirSync(`${ROOT}server/src`, { recursive: true, encoding: 'utf8' });
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.filter(
        (path) => !existsSync(ROOT + path) && !files.some((file) => `/${file}`.endsWith(`/${path}`)),
      ),
    ).toEqual([]);
  });

  it.each([
    ['The way of an ordinary request', ORDINARY_STEPS],
    ['The way of a hot request', HOT_STEPS],
  ])('lists the steps in the order of the code: %s', (title, steps) => {
    const told = [...section(title).matchAll(/^\d+\. \*\*([\w ]+)\*\*/gm)].map(([, name]) => name);
    expect(told.length).toBeGreaterThan(8);
    expect(told).toEqual(steps.map(({ name }) => name));
  });
});
