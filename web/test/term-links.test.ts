import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { guideFiles, renderGuide } from '../docs/guides.mjs';
import { termsOf } from '../docs/terms.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONCEPTS = 'docs/concepts.md';

const files = guideFiles(ROOT);
const terms = termsOf(ROOT);
const html = (file: string) => renderGuide(ROOT, file, files).html;

/** The text of a page that may be linked: without headings, code and what is a link already. */
function linkableText(page: string): string {
  return page.replace(/<(a|code|pre|h[1-6]|svg)\b.*?<\/\1>/gs, '\n').replace(/<[^>]*>/g, '\n');
}

function linkedTerms(page: string): string[] {
  return [...page.matchAll(/<a class="term" href="\/docs\/concepts#([\w-]+)">/g)].map(([, id = '']) => id);
}

describe('the words of the concepts', () => {
  it('are at least thirty, each with a separate anchor', () => {
    expect(terms.length).toBeGreaterThan(30);
    const anchors = [...html(CONCEPTS).matchAll(/<strong id="([\w-]+)">/g)].map(([, id]) => id);
    expect(anchors.sort()).toEqual(terms.map(({ id }) => id).sort());
  });

  it.each(files.filter((file) => file !== CONCEPTS))('are linked once where %s uses them first', (file) => {
    const page = html(file);
    const linked = linkedTerms(page);
    expect(new Set(linked).size).toBe(linked.length);
    const left = linkableText(page);
    const missing = terms.filter(({ id, pattern }) => pattern.test(left) && !linked.includes(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('are linked on a page that uses many of them', () => {
    const linked = linkedTerms(html('docs/guides/quick-start-merchant.md'));
    expect(linked).toEqual(expect.arrayContaining(['payee', 'agent', 'wallet']));
  });
});
