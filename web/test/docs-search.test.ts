import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Query {
  typed: string;
  /** Any of these is right. */
  page: string | string[];
  typo?: true;
}

interface Found {
  page: string;
  url: string;
  heading?: { id: string; text: string };
}

const QUERIES = JSON.parse(
  readFileSync(new URL('docs-queries.json', import.meta.url), 'utf8'),
) as readonly Query[];
const { readDocs } = (await import(new URL('../docs/build.mjs', import.meta.url).href)) as {
  readDocs(): { pages: { url: string }[]; index: object };
};
const { search, stem } = (await import(new URL('../docs/search.js', import.meta.url).href)) as {
  search(index: object, question: string, most?: number): Found[];
  stem(word: string): string;
};
const { pages, index } = readDocs();
const found = (question: string) => search(index, question, 3).map(({ page }) => page);

it('searches for existing pages, in forty phrases, five of them with a typo', () => {
  const known = new Set(pages.map(({ url }) => url));
  expect(QUERIES.flatMap(({ page }) => page).filter((page) => !known.has(page))).toEqual([]);
  expect(QUERIES.length).toBe(40);
  expect(QUERIES.filter(({ typo }) => typo).length).toBe(5);
});

it('has the right page among the first three for at least 38 of them', () => {
  const missed = QUERIES.filter(({ typed, page }) => !found(typed).some((one) => page.includes(one)));
  expect(
    missed.length,
    missed.map(({ typed }) => `${typed}: ${found(typed)}`).join('\n'),
  ).toBeLessThanOrEqual(2);
});

it('takes every form of a word for the same', () => {
  for (const forms of [
    ['retry', 'retries', 'retrying', 'retried'],
    ['rotate', 'rotation', 'rotating', 'rotated'],
    ['verify', 'verified', 'verification', 'verifier'],
    ['idempotent', 'idempotency'],
    ['webhook', 'webhooks'],
    ['approve', 'approval', 'approved'],
    ['run', 'running'],
  ])
    expect(new Set(forms.map(stem)).size, forms.join()).toBe(1);
});

it('needs no word to be right, and puts guides first', () => {
  expect(found('zebra webhook')[0]).toBe('/docs/guides/webhooks');
  expect(found('webhooks')[0]).toBe('/docs/guides/webhooks');
  expect(found('automation policies')[0]).toBe('/docs/guides/automation-policies');
  expect(found('zebra')).toEqual([]);
  // Also a name of every object.
  expect(() => found('constructor')).not.toThrow();
});

it('leads to the part of the page that was searched for', () => {
  const [first] = search(index, 'rate_limited');
  expect(first?.url).toBe('/docs/errors#rate_limited');
  expect(search(index, 'refund')[0]?.url).toBe('/docs/guides/what-confirmed-means#refunds');
});
