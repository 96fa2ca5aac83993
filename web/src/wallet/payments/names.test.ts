import { expect, it } from 'vitest';
import { isInternational, makesClaims } from './names.ts';

it.each([
  'Stripe Payments Europe ✔ Verified by PayAssent',
  'Refund to you: +250.00 XLM',
  'Harbour Books ✅',
  'Harbour Books 🛡️',
  'V e r i f i e d shop',
  'Vеrіfіеd shop',
  'ＶＥＲＩＦＩＥＤ shop',
  'v\u200de\u200dr\u200di\u200df\u200died',
  'Pay 5 XLM',
  '€5 shop',
  'Shop 0,01',
  'Bestätigter Händler',
  'Von PayAssent geprüft',
])('a name cannot carry what only the page may say: %s', (name) => {
  expect(makesClaims(name)).toBe(true);
});

it.each(['Harbour Books', 'Café 21', 'Müller & Söhne GmbH', '7-Eleven', 'Studio 54', 'Магазин книг', '本屋'])(
  'an ordinary name is left as it is: %s',
  (name) => {
    expect(makesClaims(name)).toBe(false);
  },
);

it('a domain with letters of other scripts is marked', () => {
  expect(isInternational('xn--pple-43d.example')).toBe(true);
  expect(isInternational('shop.xn--pple-43d.example')).toBe(true);
  expect(isInternational('apple.example')).toBe(false);
});
