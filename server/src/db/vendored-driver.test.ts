import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../vendor/postgres/', import.meta.url));
const read = (path: string) => readFileSync(`${FOLDER}${path}`, 'utf8');

/** Reverts a patch of one file: added lines must be there, removed ones are restored. */
function withoutPatch(text: string, patch: string): string {
  const lines = text.split('\n');
  const original: string[] = [];
  let at = 0;
  for (const hunk of patch.split(/^@@ /m).slice(1)) {
    const start = Number(/\+(\d+)/.exec(hunk)?.[1]) - 1;
    original.push(...lines.slice(at, start));
    at = start;
    for (const line of hunk.split('\n').slice(1, -1)) {
      if (line.startsWith('-')) {
        original.push(line.slice(1));
        continue;
      }
      expect(lines[at]).toBe(line.slice(1));
      at += 1;
      if (line.startsWith(' ')) original.push(line.slice(1));
    }
  }
  return [...original, ...lines.slice(at)].join('\n');
}

describe('the driver in the repository', () => {
  it('is the published release with the patch, and nothing else', () => {
    const published = new Map(
      read('UPSTREAM.sha256')
        .trim()
        .split('\n')
        .map((line) => line.split('  ').reverse() as [string, string]),
    );
    const files = readdirSync(`${FOLDER}src`).filter((name) => name.endsWith('.js'));
    const patches = read('payassent.patch').split(/^(?=--- a)/m);
    const digests = files.map((name) => {
      const text = read(`src/${name}`);
      const patch = patches.find((part) => part.startsWith(`--- a/src/${name}\n`));
      const original = patch ? withoutPatch(text, patch) : text;
      return [`src/${name}`, createHash('sha256').update(original).digest('hex')];
    });
    expect(new Map(digests as [string, string][])).toEqual(published);
  });
});
