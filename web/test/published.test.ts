import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the README', () => {
  it('shows only pictures that the tests make, all of them small', async () => {
    const script = new URL('../../scripts/publish-pictures.mjs', import.meta.url).href;
    const { FILES } = (await import(script)) as { FILES: string[] };
    const shown = [...read('README.md').matchAll(/docs\/pictures\/[\w.-]+/g)].map(([file]) => file);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((file) => !FILES.includes(file))).toEqual([]);
    expect(
      readdirSync(join(ROOT, 'docs/pictures'), { encoding: 'utf8' })
        .map((file) => `docs/pictures/${file}`)
        .sort(),
    ).toEqual(FILES.toSorted());
    const bytes = FILES.map((file) => statSync(join(ROOT, file)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  });
});

describe('the figures of Lighthouse', () => {
  it('are published for wallet, portal and documentation, and reach what is wanted', () => {
    const rows = read('docs/proof/lighthouse.md').match(/^\| `\/.*$/gm) ?? [];
    const places = ['wallet', 'portal', 'docs', 'docs/guides/webhooks', 'docs/reference/payment-requests'];
    expect(rows.map((row) => row.split('`')[1])).toEqual(places.map((place) => `/${place}`));
    for (const row of rows) {
      const reached = [...row.matchAll(/\| (\d+)[^|,]*, wanted (\d+)/g)];
      expect(reached).toHaveLength(2);
      for (const [cell, score, wanted] of reached)
        expect(Number(score), cell).toBeGreaterThanOrEqual(Number(wanted));
    }
    expect(read('docs/proof/lighthouse.md')).toContain('install the wallet: yes');
  });
});
