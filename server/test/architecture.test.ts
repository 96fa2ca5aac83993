import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${ROOT}docs/ARCHITECTURE.md`, 'utf8');

function section(title: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}

/** Every path of the drawn tree, from the indentation of its lines. Several files may stand in one line. */
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

/** The body of the handler that a function returns. */
function handlerOf(file: string, name: string): string {
  const source = readFileSync(`${ROOT}server/src/${file}`, 'utf8');
  const own = source.slice(source.indexOf(`function ${name}(`));
  return own.slice(own.indexOf('return async (incoming)'), own.indexOf('\n}\n'));
}

/** What the handler calls, in the order of the first calls. */
function callsOf(handler: string): string[] {
  const plain = handler.replaceAll(/^ *\/\/.*$/gm, '');
  const calls = [...plain.matchAll(/\b(?<!function )(\w+)(?:\?\.)?\(/g)].map(([, name = '']) => name);
  return [...new Set(calls)].filter((name) => !['async', 'if', 'notFound', 'end'].includes(name));
}

/** The names that begin the steps of a list. */
function stepsOf(title: string): string[] {
  const list =
    section(title)
      .split('\n\n')
      .find((part) => part.startsWith('1. `read`')) ?? '';
  return [
    ...new Set(
      [...list.matchAll(/^\d+\. ((?:`\w+`(?:, )?)+)/gm)].flatMap(
        ([, names = '']) => names.match(/\w+/g) ?? [],
      ),
    ),
  ];
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
    ['The way of an ordinary request', 'http/pipeline.ts', 'compileOrdinaryRoute'],
    ['The way of a hot request', 'http/hot-route.ts', 'compileHotRoute'],
  ])('tells the steps in the order of the code: %s', (title, file, name) => {
    const calls = callsOf(handlerOf(file, name));
    expect(calls.length).toBeGreaterThan(8);
    expect(stepsOf(title)).toEqual(calls);
  });
});
