import { expect, it } from 'vitest';
import { prefersProblem } from './wire-errors.ts';

it.each([
  ['application/problem+json', true],
  ['application/problem+json, */*;q=0.5', true],
  ['application/json;q=0.8, application/problem+json', true],
  ['APPLICATION/PROBLEM+JSON;q=0.9,application/json;q=0.1', true],
  ['application/problem+json, application/json', false],
  ['application/problem+json;q=0.5, application/json', false],
  ['application/problem+json;q=0', false],
  ['application/problem+json;q=none', false],
  ['application/json', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
])('Accept: %s prefers problem details: %s', (accept, expected) => {
  expect(prefersProblem(accept)).toBe(expected);
});
