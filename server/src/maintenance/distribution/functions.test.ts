import { expect, it } from 'vitest';
import { FUNCTIONS_DIGEST, FUNCTIONS_VERSION } from './functions.ts';

it('functions of the machines that have changed have another version', () => {
  expect(
    { version: FUNCTIONS_VERSION, digest: FUNCTIONS_DIGEST.slice(0, 16) },
    'raise FUNCTIONS_VERSION, and keep what processes of the release before call working',
  ).toEqual({ version: 8, digest: 'f213df2fc3da5492' });
});
