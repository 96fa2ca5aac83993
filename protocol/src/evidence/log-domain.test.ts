import { describe, expect, it } from 'vitest';
import { clearEntryText, isLogDomain, parseEntry } from './index.ts';

const LONGEST = `${'a'.repeat(61)}.${Array(3).fill('b'.repeat(63)).join('.')}`;

describe('a domain in the log', () => {
  it.each([
    'shop.example',
    'a.b',
    '0-1.2-3',
    'xn--mller-kva.example', // müller
    'xn--fiq228c.xn--55qx5d', // 中文.公司
    'xn--strae-oqa.example', // straße
    'xn--1ch.example', // a symbol outside of letters
    'xn--n3h.xn--80akhbyknj4f', // ☃.испытание
    'xn--0-hhn.example', // a script that is folded to its capitals
    'xn--ls8h.la', // a character beyond the first plane
    LONGEST,
  ])('is lower-case A-labels: %s', (domain) => {
    expect(isLogDomain(domain)).toBe(true);
    const entry = clearEntryText('payee.activated', new Date(0), { domain, evidence_digest: DIGEST });
    expect(parseEntry(entry)).toMatchObject({ domain });
  });

  it.each([
    ['', 'nothing'],
    ['.', 'a dot'],
    ['Shop.example', 'upper case'],
    ['shop.example.', 'a final dot'],
    ['shop..example', 'an empty label'],
    ['.shop.example', 'a dot before'],
    [' shop.example', 'a blank before'],
    ['shop.example\n', 'a line end'],
    ['sh op.example', 'a blank inside'],
    ['sho\u200bp.example', 'a zero-width space'],
    ['v\u0131ctim.example', 'a dotless i'],
    ['v\u0456ctim.example', 'a Cyrillic i'],
    ['müller.example', 'Unicode labels'],
    ['shop\u3002example', 'an ideographic full stop'],
    ['-shop.example', 'a hyphen before'],
    ['shop-.example', 'a hyphen behind'],
    ['ab--shop.example', 'a reserved prefix'],
    ['sh_op.example', 'an underscore'],
    ['*.example', 'a wildcard'],
    ['shop.example:443', 'a port'],
    [`${'a'.repeat(64)}.example`, 'a label of 64 bytes'],
    [`a${LONGEST}`, '254 bytes'],
    ['xn--.example', 'an A-label without anything'],
    ['xn--shop-.example', 'an A-label of ASCII alone'],
    ['xn---n3h.example', 'an A-label that decodes, in a second spelling'],
    ['xn--99999999.example', 'an A-label that decodes to nothing'],
    ['xn--Mller-Kva.example', 'an A-label in upper case'],
    ['xn--muller-xyd.example', 'an A-label that is not in normal form'],
  ])('is refused in another spelling: %s, %s', (domain) => {
    expect(isLogDomain(domain)).toBe(false);
    const entry = clearEntryText('payee.activated', new Date(0), { domain, evidence_digest: DIGEST });
    expect(parseEntry(entry)).toBeUndefined();
  });
});

const DIGEST = `sha256:${'ab'.repeat(32)}`;
