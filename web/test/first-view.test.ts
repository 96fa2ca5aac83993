import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const LIMIT_BYTES = 232_000;
const read = (path: string) => readFileSync(new URL(`../../server/pages/app/${path}`, import.meta.url));

it.each(['wallet', 'portal'])('the first view of the %s, compressed, stays within its limit', (page) => {
  const html = read(`${page}/index.html`).toString();
  const files = html.match(/web\/assets\/[\w.-]+\.(js|css)/g) ?? [];
  expect(files.length).toBeGreaterThan(2);
  const size = files.reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
  expect(size).toBeLessThan(LIMIT_BYTES);
});
