import { describe, expect, it } from 'vitest';
import { hostOf, relativeNames } from './host-of.ts';

describe('what is pasted as a domain', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['  Shop.Example.  ', 'shop.example'],
    ['https://shop.example/tea?leaf=1#top', 'shop.example'],
    ['HTTP://Shop.Example:8443/', 'shop.example'],
    ['shop.example:443', 'shop.example'],
    ['//shop.example', 'shop.example'],
    ['https://me:secret@shop.example/', 'shop.example'],
    ['tea@shop.example', 'shop.example'],
    ['https://bücher.example/', 'bücher.example'],
    ['not a domain', 'not a domain'],
    ['', ''],
  ])('%j is the host %j', (pasted, host) => {
    expect(hostOf(pasted)).toBe(host);
  });
});

it('names the record for every zone that the host may are in', () => {
  expect(relativeNames('_svc-challenge.shop.example', 'shop.example')).toEqual([
    { zone: 'shop.example', name: '_svc-challenge' },
  ]);
  expect(relativeNames('_svc-challenge.pay.shop.example', 'pay.shop.example')).toEqual([
    { zone: 'pay.shop.example', name: '_svc-challenge' },
    { zone: 'shop.example', name: '_svc-challenge.pay' },
  ]);
});
