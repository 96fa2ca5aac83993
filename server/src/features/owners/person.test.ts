import { expect, it } from 'vitest';
import { countPersons, isSamePerson } from './owners.ts';

it('addresses that differ only by case, dots or a +tag before one domain are one person', () => {
  for (const other of ['Me@shop.example', 'm.e@shop.example', 'me+two@shop.example', 'M.e+a+b@SHOP.example'])
    expect(`${other}: ${isSamePerson('me@shop.example', other)}`).toBe(`${other}: true`);
});

it('another name or another domain is another person', () => {
  for (const other of ['you@shop.example', 'me@other.example', 'me@mail.shop.example', 'me-two@shop.example'])
    expect(`${other}: ${isSamePerson('me@shop.example', other)}`).toBe(`${other}: false`);
  expect(
    countPersons(['me@a.example', 'ME+x@a.example', 'me@b.example', '+a@a.example', '+b@a.example']),
  ).toBe(4);
});
