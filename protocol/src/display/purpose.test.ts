import { expect, it } from 'vitest';
import { purposeOf } from './purpose.ts';

it('takes the purpose from the first member that holds words', () => {
  expect(purposeOf({ note: 'for the team', title: 'Ten licences' })).toBe('Ten licences');
  expect(purposeOf({ title: 'Ten licences', purpose: 'to renew what ends today' })).toBe(
    'to renew what ends today',
  );
  expect(purposeOf({ title: ' ', summary: 'for the team' })).toBe('for the team');
  expect(purposeOf({ title: 3, colour: 'red' })).toBeUndefined();
  expect(purposeOf(undefined)).toBeUndefined();
});
