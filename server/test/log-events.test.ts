import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const RUNNING = readFileSync(new URL('../../docs/operators/running.md', import.meta.url), 'utf8');

/** Every call of the log in the service: from its opening bracket to the end of what it is given. */
const CALLS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .flatMap((path) => {
    const text = readFileSync(`${SRC}${path}`, 'utf8');
    return [...text.matchAll(/\blog\.(?:info|warn|error|debug)\(/g)].map(({ index }) => ({
      path,
      given: text.slice(index, index + 400),
    }));
  });

describe('log lines', () => {
  it('have an event name, each of them', () => {
    expect(CALLS.length).toBeGreaterThan(10);
    expect(CALLS.filter(({ given }) => !/^[^;]*?event\b|^log\.\w+\(\{ \.\.\.facts/.test(given))).toEqual([]);
  });

  it('have the event names of the manual, all of them and no others', () => {
    const section = RUNNING.split('## Log lines')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => /^\| `(?!event`)/.test(line));
    const published = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''),
    );
    const written = new Set(
      readdirSync(SRC, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .map((path) => readFileSync(`${SRC}${path}`, 'utf8'))
        .flatMap((text) => [...text.matchAll(/\bevent: (.*)/g)])
        .flatMap(([, rest = '']) => [...rest.matchAll(/'([a-z]+(?:_[a-z]+)+|answered)'/g)])
        .map((match) => match[1] ?? ''),
    );
    expect([...published].sort()).toEqual([...written].sort());
  });
});
