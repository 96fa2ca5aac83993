import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBannedKeys } from './banned-keys.ts';

// The two lists of the contract, written out again on purpose: a name lost from the code must fail here.
const ANYWHERE =
  'address toaddress paymentaddress walletaddress destinationaddress recipientaddress memo memotype destinationtag contract contractaddress tokencontract issuer assetissuer recipient recipientid recipientversionid payee payto beneficiary iban'.split(
    ' ',
  );
const AT_TOP = 'to destination network asset chainid rail decimals'.split(' ');

function fieldsOf(value: unknown, topLevel = true): string[] {
  return findBannedKeys(value, 'display', { topLevel }).map(({ field }) => field);
}

describe('the display ban', () => {
  it.each(ANYWHERE)('refuses %s at every depth, inside lists too', (name) => {
    expect(fieldsOf({ [name]: 1 })).toEqual([`display.${name}`]);
    expect(fieldsOf({ items: [{ ok: 1 }, { deep: { [name]: null } }] })).toEqual([
      `display.items[1].deep.${name}`,
    ]);
  });

  it.each(AT_TOP)('refuses %s at the top level only', (name) => {
    expect(fieldsOf({ [name]: 1 })).toEqual([`display.${name}`]);
    expect(fieldsOf({ trip: { [name]: 1 } })).toEqual([]);
    expect(fieldsOf({ [name]: 1 }, false)).toEqual([]);
  });

  it('lets ordinary words pass', () => {
    const ordinary = {
      shipping_address: 'Rua Augusta 1',
      billingAddress: { street: 'Rua Augusta 1' },
      trip: { from: 'NYC', to: 'LIS' },
      legs: [{ from: 'NYC', to: 'LIS', network: 'rail' }],
      addresses: [],
      memos: '',
      contract_number: 7,
      recipients: 2,
      total_to_be_paid: '3',
      deliver_to: 'Ana',
      beneficiary_name: 'Ana',
      refund_iban: '',
      wireless_tools: 1,
      email_address: 'a@example.com',
    };
    expect(fieldsOf(ordinary)).toEqual([]);
  });

  it.each([
    ['Memo', 'upper case'],
    ['me_mo', 'underscore'],
    ['m.e.m.o', 'dots'],
    ['destination-tag', 'hyphen'],
    ['Pay To', 'space'],
    ['wire_to', 'another word for paying'],
    ['WireTo', 'another word for paying, in camel case'],
    ['I-B-A-N', 'hyphens'],
    ['ｍｅｍｏ', 'full width'],
    ['me\u00admo', 'soft hyphen'],
    ['me\u200bmo', 'zero width space'],
    ['me\u3164mo', 'Hangul filler, a letter to Unicode'],
    ['m\u0336e\u0336m\u0336o\u0336', 'overlaid marks'],
    ['mémo', 'accent'],
    ['me\u0301mo', 'combining accent'],
    ['𝓶𝓮𝓶𝓸', 'mathematical script'],
    ['ⓜⓔⓜⓞ', 'circled letters'],
    ['addreß', 'letter that folds to two'],
    ['ADDRE\u1e9e', 'capital of it'],
    ['recıpıent', 'dotless i'],
    ['RECİPİENT', 'dotted capital I'],
    ['iſſuer', 'long s'],
    ['to\u0000address', 'control character'],
    ['🅰 memo 🅱', 'symbols around it'],
  ])('sees through %j (%s)', (key) => {
    expect(fieldsOf({ a: [{ [key]: 1 }] })).toEqual([`display.a[0].${key}`]);
  });

  it.each([
    'payment_memo',
    'memoText',
    'MEMO1',
    'MEMOline',
    'the memo, please',
    'mеmo_text (Cyrillic е)',
    'mem0',
    'rnerno-line',
    'deposit_address',
    'walletAddress2',
    'addressOfReceiver',
    'beneficiary address',
    'CRYPTOAddress',
    'address_to_send',
    'wa||et-address',
    'waIIet_address',
    'deposіt_аddress (Cyrillic і and а)',
    'sendTo',
    'pay_money_to',
    'transfer-to',
    'to_remit',
    'DEPOSIT_TO',
    'ｓｅｎｄ＿ｔｏ',
    'paẏ_tö',
  ])('refuses %j for its words, at every depth', (name) => {
    expect(fieldsOf({ [name]: 1 })).toEqual([`display.${name}`]);
    expect(fieldsOf({ list: [{ [name]: 1 }] })).toEqual([`display.list[0].${name}`]);
  });

  it.each([
    'memory',
    'memorial_day',
    'memos',
    'shipping_address',
    'email_address',
    'billingAddress',
    'addressee',
    'ip_address',
    'payment_method',
    'paid_to_date',
    'wallet_name',
    'sender',
    'total',
    'history_of_payments',
    'customer_payment_terms',
    'transferred_from',
    'send_total',
    'autopay',
  ])('lets the ordinary name %j pass', (name) => {
    expect(fieldsOf({ [name]: 1 })).toEqual([]);
  });

  it('reads letters of other scripts as the Latin ones they resemble', () => {
    expect(fieldsOf({ а: [{ аddress: 1 }, { рауее: 2 }, { рауmеnt: 3 }] })).toEqual([
      'display.а[0].аddress',
      'display.а[1].рауее',
    ]);
  });

  it('does not take names of other scripts for banned ones', () => {
    expect(fieldsOf({ адрес: 1, 住所: 1, memo备注: 1, μemo: 1 })).toEqual([]);
  });

  it('reports all of them in document order, with code and advice', () => {
    const issues = findBannedKeys({ b: { memo: 1 }, to: 2, a: [{ issuer: 3 }] }, 'metadata', {
      topLevel: true,
    });
    expect(issues.map(({ field }) => field)).toEqual([
      'metadata.b.memo',
      'metadata.to',
      'metadata.a[0].issuer',
    ]);
    for (const { code, message } of issues) {
      expect(code).toBe('display_override_forbidden');
      expect(message).toMatch(/fixed by the Recipient/);
    }
    expect(issues[0]?.message).toContain('"note"');
    expect(findBannedKeys({ address: 1 }, 'x', { topLevel: true })[0]?.message).toContain('shipping_address');
  });

  it('reads members of contexts, whose path begins with the member itself', () => {
    expect(findBannedKeys({ memo: 1 }, '', { topLevel: true })[0]?.field).toBe('memo');
  });

  it('treats __proto__ and friends as plain data and searches below them', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"memo":1},"constructor":{"payee":1},"toString":{"to":1}}',
    );
    expect(fieldsOf(hostile)).toEqual(['display.__proto__.memo', 'display.constructor.payee']);
  });
});

describe('the walk under attack', () => {
  it('refuses what is nested too deeply to be seen, without overflowing the stack', () => {
    const open = '{"a":'.repeat(20_000);
    const close = '}'.repeat(20_000);
    const issues = findBannedKeys(JSON.parse(`${open}{"memo":1}${close}`), 'display', { topLevel: true });
    expect(issues).toHaveLength(1);
    expect(issues[0]?.code).toBe('out_of_range');
    expect(issues[0]?.message).toMatch(/too deeply/);
  });

  it('ends on objects that contain themselves or share their parts a billion times', () => {
    const loop: Record<string, unknown> = {};
    loop['again'] = loop;
    expect(findBannedKeys(loop, 'd', { topLevel: true })[0]?.code).toBe('out_of_range');
    let shared: unknown = { memo: 1 };
    for (let level = 0; level < 40; level += 1) shared = [shared, shared];
    const issues = findBannedKeys(shared, 'd', { topLevel: true });
    expect(issues.at(-1)?.code).toBe('out_of_range');
    expect(issues.length).toBeLessThanOrEqual(10_001);
  });

  it('never throws on objects that throw, and does not take them for clean', () => {
    const throwing = {
      get quiet() {
        throw new Error('boo');
      },
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const proxy = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('boo');
        },
      },
    );
    for (const value of [throwing, { nested: [throwing] }, revoked.proxy, { a: revoked.proxy }, proxy]) {
      expect(findBannedKeys(value, 'd', { topLevel: true }).map(({ code }) => code)).toEqual([
        'invalid_type',
      ]);
    }
    for (const value of [undefined, null, 1, 'memo', Symbol('memo'), 1n, () => 1]) {
      expect(findBannedKeys(value, 'd', { topLevel: true })).toEqual([]);
    }
  });

  it('lists every one, with long names cut', () => {
    const long = 'x'.repeat(4000);
    const many = Object.fromEntries(ANYWHERE.map((name) => [name, 1]));
    const issues = findBannedKeys({ [long]: Array.from({ length: 50 }, () => many) }, 'd', {
      topLevel: true,
    });
    expect(issues).toHaveLength(50 * ANYWHERE.length);
    expect(JSON.stringify(issues).length).toBeLessThan(600 * issues.length);
  });
});

describe('no hostile object gets a banned name past the walk', () => {
  const fullWidth = (text: string) =>
    text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
  const noise = fc.constantFrom(
    '',
    '',
    '',
    '_',
    '-',
    ' ',
    '.',
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u3164',
    '\u034f',
    '\u0301',
    '\u0327',
    '\u0338',
    '\u20dd',
    '\ufe0f',
    '\u{e0061}',
    '!',
    '/',
    '$',
    '\u0000',
    '\t',
    '💰',
    '\u115f',
  );
  const disguise = fc.constantFrom(
    (letter: string) => letter,
    (letter: string) => letter.toUpperCase(),
    fullWidth,
    (letter: string) => fullWidth(letter).toUpperCase(),
    (letter: string) => String.fromCodePoint(0x1d400 + 26 + letter.charCodeAt(0) - 97),
    (letter: string) => String.fromCodePoint(0x24d0 + letter.charCodeAt(0) - 97),
    (letter: string) => (letter === 's' ? 'ſ' : letter),
    (letter: string) => `${letter}\u0301`,
  );
  const bannedName = fc
    .constantFrom(...ANYWHERE)
    .chain((name) =>
      fc
        .tuple(
          fc.array(disguise, { minLength: name.length, maxLength: name.length }),
          fc.array(noise, { minLength: name.length + 1, maxLength: name.length + 1 }),
        )
        .map(([changes, gaps]) =>
          [...name].reduce(
            (text, letter, at) => text + (changes[at]?.(letter) ?? letter) + gaps[at + 1],
            gaps[0] ?? '',
          ),
        ),
    );
  const innocent = fc.dictionary(
    fc.constantFrom('items', 'note', 'qty', '__proto__', 'a.b', '0'),
    fc.jsonValue({ maxDepth: 1 }),
  );

  it('whatever its disguise and however deep it is', () => {
    const step = fc.oneof(
      fc.constant('list' as const),
      fc.constantFrom('items', 'x', '__proto__', 'constructor', 'to.x'),
    );
    fc.assert(
      fc.property(bannedName, fc.array(step, { maxLength: 12 }), innocent, (name, path, sibling) => {
        let value: unknown = { ...sibling, [name]: sibling };
        let expected = `.${name}`;
        for (const part of path) {
          value =
            part === 'list'
              ? [sibling, value]
              : JSON.parse(`{${JSON.stringify(part)}:${JSON.stringify(value)}}`);
          expected = part === 'list' ? `[1]${expected}` : `.${part}${expected}`;
        }
        const fields = findBannedKeys(value, 'display', { topLevel: true }).map(({ field }) => field);
        expect(fields).toContain(`display${expected}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('and no name passes that the contract rule itself would refuse', () => {
    const contractForm = (key: string) =>
      key
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{Nd}]/gu, '');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), bannedName), (key) => {
        const isRefused = fieldsOf({ a: { [key]: 1 } }).length > 0;
        if (ANYWHERE.includes(contractForm(key))) expect(isRefused).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a name that no one reads', () => {
  const long = (word: string) => 'x'.repeat(2_000) + word + 'y'.repeat(2_000);

  it.each(['memo', 'payto', 'sendaddress'])(
    'is judged by its letters: %s anywhere in it is refused',
    (word) => {
      const issues = findBannedKeys({ deep: { [long(word)]: 1 } }, 'metadata', { topLevel: true });
      expect(issues.map(({ code }) => code)).toEqual(['display_override_forbidden']);
    },
  );

  it('passes without them', () => {
    expect(findBannedKeys({ [long('parcel')]: 1 }, 'metadata', { topLevel: true })).toEqual([]);
  });
});
