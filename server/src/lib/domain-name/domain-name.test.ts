import { bestTimeMs } from '@payassent/proof/runner/best-time';
import { isLogDomain } from '@payassent/protocol/evidence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDomainName } from './index.ts';

function domainOf(text: string): string {
  const parsed = parseDomainName(text);
  return parsed.ok ? parsed.domain : `refused: ${parsed.reason}`;
}

describe('accepted names become one exact host', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['SHOP.Example', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['a.b.c.shop.test', 'a.b.c.shop.test'],
    ['merchant.test', 'merchant.test'],
    ['example.com', 'example.com'],
    ['www.example.co.uk', 'www.example.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['1and1.com', '1and1.com'],
    ['127.0.0.1.example', '127.0.0.1.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['日本語。jp', 'xn--wgv71a119e.jp'],
    ['shop。example｡', 'shop.example'],
    ['ｓｈｏｐ.example', 'shop.example'],
    ['sho\u00adp.example', 'shop.example'],
    ['\u2133erchant.example', 'merchant.example'],
    ['क्\u200dष.example', 'xn--11b2ezcw70k.example'],
    // UTS #46 accepts these lookalikes of a slash; as A-labels they cannot be mistaken for anything else.
    ['shop.example\u2215path', 'shop.xn--examplepath-0h8f'],
    ['shop\u2044x.example', 'xn--shopx-g33b.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%j is %j', (text, expected) => {
    expect(domainOf(text)).toBe(expected);
    expect(isLogDomain(expected)).toBe(true);
  });

  it('and what was accepted is accepted unchanged again: two spellings never become two names', () => {
    const label = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
      fc.stringMatching(/^xn--[a-z0-9-]{1,12}$/),
      fc.string({
        unit: fc.constantFrom(...'azAZ09äßÄ\u0301\u05d0\u0627\u0915\u094d\u200c\u200d'),
        minLength: 1,
        maxLength: 9,
      }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        const parsed = parseDomainName(`${labels.join('.')}.example`);
        if (!parsed.ok) return;
        accepted += 1;
        expect(parsed.domain).toMatch(/^[a-z0-9.-]+$/);
        expect(domainOf(parsed.domain)).toBe(parsed.domain);
        expect(isLogDomain(parsed.domain)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});

describe('refused with the reason', () => {
  const refusals: Record<string, string[]> = {
    empty: [''],
    too_long: ['a.'.repeat(600)],
    not_a_host_name: [
      '.',
      '..',
      'shop.example..',
      'shop.example.。',
      '.shop.example',
      'shop..example',
      'https://shop.example',
      'shop.example:443',
      'shop.example/',
      'shop.example/path',
      'shop.example?x',
      'shop.example#x',
      'user@shop.example',
      '*.shop.example',
      '*',
      ' shop.example',
      'shop.example ',
      'shop example.test',
      'shop\t.example',
      'shop.example\n',
      'shop\u0000.example',
      'sh_op.example',
      '_svc-challenge.shop.example',
      'shop\\.example',
      '-shop.example',
      'shop-.example',
      'ab--cd.example',
      `${'a'.repeat(64)}.example`,
      `${`${'a'.repeat(60)}.`.repeat(4)}abcdef.example`,
      `${'ü'.repeat(60)}.example`,
      // Characters that resemble label separators and slashes, from IdnaTestV2.txt and the URL attack literature.
      'shop.example\uff0fpath',
      'shop.example\uff1a443',
      '\u{1f100}x.example',
      // Broken or empty Punycode, and unnecessary Punycode.
      'xn--.example',
      'xn---.example',
      'xn--a.example',
      'xn--shop-.example',
      'xn--\u00fc.example',
      'xn--xn--a--gua.example',
      'xn--a-yoc.example',
      'xn--0000h.example',
      // A-labels that contain what UTS #46 would have mapped or rejected.
      'xn--mnchen-psa.example',
      'xn--munchen-gie.example',
      'xn--a-vca1v.example',
      'xn--tda9921k.example',
      'xn--zca.xn--zca\u0301.example',
      // Joiners out of context, a leading combining mark, mixed directions, unassigned and private code points.
      'a\u200db.example',
      'नी\u200dरज.example',
      'a\u200cb.example',
      '\u0301a.example',
      'aא.example',
      '0à.\u05d0',
      '\u202eshop.example',
      '\ue000.example',
      '\u{e0001}a.example',
      '\ud800.example',
      'shop.example\ufffd',
      '[::1]',
      '::1',
      '[v1.x].example',
    ],
    ip_address: [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '1.2.3.4.',
      '１２７.0.0.1',
      'shop.0x',
      'shop.08',
      'shop.①',
    ],
    single_label: ['localhost', 'com', 'example', 'test', 'com.', 'xn--p1ai', 'рф'],
    public_suffix: [
      'co.uk',
      'CO.UK',
      'github.io',
      'foo.ck',
      'com.au',
      'blogspot.com',
      '公司.cn',
      'xn--55qx5d.cn',
      's3.amazonaws.com',
    ],
  };
  for (const [reason, texts] of Object.entries(refusals)) {
    it.each(texts.map((text) => [text]))(`${reason}: %j`, (text) => {
      expect(domainOf(text)).toBe(`refused: ${reason}`);
    });
  }
});

it('a hostile long text is judged quickly', () => {
  const texts = ['ü'.repeat(1_024), 'a.'.repeat(512), '\u0301'.repeat(1_024), 'x'.repeat(5_000_000)];
  const parseAll = () => {
    for (const text of texts) expect(parseDomainName(text).ok).toBe(false);
  };
  expect(bestTimeMs(parseAll, 1_000)).toBeLessThan(1_000);
});
