import { expect, it } from 'vitest';
import { isInternational } from './payment.ts';

it('a domain with letters of other scripts is marked', () => {
  expect(isInternational('xn--pple-43d.example')).toBe(true);
  expect(isInternational('shop.xn--pple-43d.example')).toBe(true);
  expect(isInternational('apple.example')).toBe(false);
});
