import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from './query.ts';

/** The result of the platform's own parser, with repeated names collected. */
function reference(text: string): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) found.set(name, [...(found.get(name) ?? []), value]);
  return Object.fromEntries(found);
}

it('reads a query as the platform does, encoded or not', () => {
  const characters = fc.constantFrom(..."ab=&1-_.~:,/?@!$'()*;+%20[é");
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 40 }), (text) => {
      const lists = Object.entries(parseQuery(text)).map(([name, value]) => [name, [value].flat()]);
      expect(Object.fromEntries(lists)).toEqual(reference(text));
    }),
    { numRuns: 2000 },
  );
});

it('takes names as data, whatever they are', () => {
  expect(Object.entries(parseQuery('__proto__=1&constructor=2'))).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});
