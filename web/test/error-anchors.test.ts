import { fileURLToPath } from 'node:url';
import { ERRORS } from '@payassent/protocol';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('every error code has the anchor that its problem documents lead to', async () => {
  const { guideFiles, renderGuide } = await import(new URL('../docs/guides.mjs', import.meta.url).href);
  const { url, html } = renderGuide(ROOT, 'docs/ERRORS.md', guideFiles(ROOT));
  expect(url).toBe('/docs/errors');
  const ids = [...(html as string).matchAll(/<h3 id="(\w+)">/g)].map(([, id]) => id);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(ERRORS)));
  expect(new Set(ids).size).toBe(ids.length);
});
