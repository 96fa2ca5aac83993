import { expect, it } from 'vitest';
import { PAGES, readTexts } from './harness/catalogues.ts';

/** The shape of a catalogue without its texts: every member with its kind, functions with their parameters. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'function') return `function of ${value.length}`;
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

it.each(Object.values(PAGES).flat())(
  'German has exactly the texts of %s, functions with the same parameters',
  async (file) => {
    const [english, german] = [await readTexts(file), await readTexts(`de/${file}`)];
    expect(Object.keys(english).length).toBeGreaterThan(0);
    for (const name of Object.keys(english))
      expect(shapeOf(german[name]), name).toEqual(shapeOf(english[name]));
  },
);

it.each(Object.entries(PAGES))(
  'the German file of the %s has every catalogue of the page',
  async (page, files) => {
    const german = await readTexts(`de/${page}.ts`);
    for (const file of files)
      for (const name of Object.keys(await readTexts(file)))
        expect(german, `${name} of ${file}`).toHaveProperty(name);
  },
);
