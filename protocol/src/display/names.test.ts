import { describe, expect, it } from 'vitest';
import { findNameIssues, makesClaims, nameFault, shownName } from './names.ts';

describe('a name that is set', () => {
  it.each([
    ['line_end', 'Harbour\nBooks'],
    ['line_end', 'Harbour\rBooks'],
    ['line_end', 'Harbour\u2028Books'],
    ['line_end', 'Harbour\u0085Books'],
    ['link', 'Harbour Books https://evil.example/a'],
    ['link', 'ｈttps：//evil.example'],
    ['link', 'Visit WWW.evil.example'],
    ['link', 'Visit www。evil.example'],
    ['at_sign', 'help@harbour.example'],
    ['at_sign', 'Harbour ＠ Quay'],
    ['claimed_domain', 'PayPal (verified: paypal.com)'],
    ['claimed_domain', 'Official paypal.com'],
    ['claimed_domain', 'paypal。com, V e r i f i e d'],
    ['claimed_domain', 'vеrіfіеd paypal.com'],
    ['claimed_domain', 'ver1fied PayPal.Com'],
    ['claimed_domain', 'official bücher.example'],
    ['claimed_domain', 'ꓦꓰꓣꓲꓝꓲꓰꓓ paypal.com'],
    ['blank', ' \t '],
  ] as const)('is rejected for %s: %j', (fault, name) => {
    expect(nameFault(name)).toBe(fault);
    expect(findNameIssues(name, 'name')).toEqual([
      { field: 'name', code: 'invalid_format', message: expect.stringMatching(/^name must /) },
    ]);
    expect(shownName(name)).toBeUndefined();
  });

  it.each([
    'paypal.com',
    'Booking.com',
    'Müller & Söhne GmbH',
    'Dr. Oetker',
    'St. Pauli',
    'A/S Nordic: Tea',
    'Verified Shop',
    '本屋',
  ])('may be %s', (name) => {
    expect(findNameIssues(name, 'name')).toEqual([]);
  });
});

it.each([
  'Stripe Payments Europe ✔ Verified by PayAssent',
  'Refund to you: +250.00 XLM',
  'Harbour Books ✅',
  'Harbour Books 🛡️',
  'V e r i f i e d shop',
  'Vеrіfіеd shop',
  'ꓦꓰꓣꓲꓝꓲꓰꓓ shop',
  'ᏙᎬᎡᎥFᎥᎬᎠ shop',
  'OfficiaI shop',
  'ＶＥＲＩＦＩＥＤ shop',
  'Ver1fied shop',
  'v\u200de\u200dr\u200di\u200df\u200died',
  'Pay 5 XLM',
  '€5 shop',
  'Shop 0,01',
  'Bestätigter Händler',
  'Von PayAssent geprüft',
])('a name cannot carry what is reserved for the page: %s', (name) => {
  expect(makesClaims(name)).toBe(true);
  expect(shownName(name)).toBeUndefined();
});

it.each([
  'Harbour Books',
  'Café 21',
  'Müller & Söhne GmbH',
  '7-Eleven',
  'Studio 54',
  'Studio 54 LLC',
  'Halle 7 GMBH',
  'Booking.com',
  'Магазин книг',
  '本屋',
])('an ordinary name is left as it is: %s', (name) => {
  expect(makesClaims(name)).toBe(false);
  expect(shownName(name)).toBe(name);
});
