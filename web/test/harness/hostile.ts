import type { Page } from 'playwright-core';

/** A name that imitates pinned details. 200 code points, the longest that names may have. */
export const HOSTILE_NAME = fill(
  '</span></section><script>globalThis.ran=1</script><img src="//evil.example/x" onerror="globalThis.ran=2"> Payee: your bank · 0.01 XLM ',
  200,
);
export const HOSTILE_AGENT = fill(
  '<iframe src="javascript:alert(1)"></iframe> ✔ VERIFIED BY PAYASSENT ',
  200,
);
/** Exactly the 28 bytes that a Stellar memo may have. */
export const HOSTILE_MEMO = '<img src=x onerror=alert(1)>';

/** A name as long as names may be, with the longest labels there are: nothing in it is a place to break a line. */
export const LONGEST_DOMAIN = `${'w'.repeat(63)}.${'m'.repeat(63)}.${'w'.repeat(63)}.${'i'.repeat(26)}.example`;

export const IMITATION = 'facts of its own';
/** Names that would move the details below them, or imitate them, if they were laid out as written. */
export const HOSTILE_PAYEES: ReadonlyArray<readonly [what: string, name: string]> = [
  [
    IMITATION,
    [
      'Harbour Books',
      'Domain',
      'bank.example',
      'Network',
      'Stellar',
      'To this address',
      'GAAA BBBB CCCC',
    ].join('\u3000\u3000'),
  ],
  ['tabs', `Shop${'\t'.repeat(190)}x`],
  ['a gap as wide as several lines', `Shop${'\u3000'.repeat(60)}Domain${'\u00a0\u2003'.repeat(50)}x`],
  ['signs that are drawn as nothing', `Shop${'\u2800'.repeat(190)}x`],
  ['marks piled on one letter', `Z${'\u0301\u0327'.repeat(99)}`],
  ['a wall of emoji', '🟥'.repeat(200)],
  ['the widest sign there is', '\ufdfd'.repeat(200)],
  ['wide letters', 'W'.repeat(200)],
];

/** As long as an amount may be. */
export const LONGEST_AMOUNT = `${'9'.repeat(320)}.0000001`;

const ZALGO = 'Z̸̧̢̛̺̫̣̮̲̦̈́̓͛͊̾͝Å̷̡̧̛̞̤̟̙̥̪̇̈́̃̒͘L̴̢̡̛̙̫̰̞̀̈́̑͑͝G̵̨̛̙̣̹̲̈́̃́̄͝Ơ̸̢̧̙̙̞̈́̃'.repeat(20);
const HEBREW = 'לשלם לכתובת אחרת '.repeat(20);
const STYLED =
  '<style>.pinned{display:none!important}</style><div style="position:fixed;inset:0;z-index:99999;background:#fff">You would pay 0.01 XLM</div>';

/** An address that differs in one letter in the middle; its checksum is wrong, so the service accepts it in texts. */
export function lookAlike(address: string): string {
  const place = 28;
  const other = address[place] === 'A' ? 'B' : 'A';
  return `${address.slice(0, place)}${other}${address.slice(place + 1)}`;
}

export function hostileContext(address: string): Record<string, unknown> {
  return {
    transaction_id: 'hostile',
    title: `${STYLED} Payee: Bank · To this address: ${lookAlike(address)}`,
    summary: fill(`${ZALGO}\n\n\n${HEBREW} <b onmouseover="globalThis.ran=3">`, 10_000),
    line_items: [{ [STYLED]: 'x', name: HEBREW }, { name: 'W'.repeat(2_000) }],
    'Checked on this device: these are the facts that were pinned when the request was made.': 'yes',
  };
}

export function hostileDisplay(address: string): Record<string, unknown> {
  return {
    headline: `${'\n'.repeat(300)}You would pay 0.01 XLM to ${lookAlike(address)}`,
    url: 'javascript:globalThis.ran=4',
    html: STYLED,
    wide: '█'.repeat(1_500),
  };
}

export function hostileMetadata(): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key-${index}`, `<i>${index}</i>`]));
}

function fill(text: string, length: number): string {
  return [...text.repeat(Math.ceil(length / [...text].length))].slice(0, length).join('').trim();
}

export interface Measured {
  /** Foreign texts outside of the box whose rectangles touch it. */
  overlapping: string[];
  /** Foreign texts above the box. */
  above: string[];
  /** Details covered by another element. */
  covered: string[];
  /** Foreign texts that became elements. */
  parsed: string[];
  /** Texts outside of the box that are larger than its amount. */
  larger: string[];
  facts: Record<string, string>;
}

/** Measures the page as it is: where the pinned box is, what covers it, and its text. */
export function measurePinnedFacts(page: Page): Promise<Measured> {
  return page.evaluate(() => {
    const pinned = document.querySelector('.pinned');
    if (pinned === null) throw new Error('there is no pinned box');
    for (const folded of document.querySelectorAll('details')) folded.open = true;
    const box = pinned.getBoundingClientRect();
    const foreign = [...document.querySelectorAll('.foreign-text, .said, .said *')].filter(
      (element) => !pinned.contains(element),
    );
    const nameOf = (element: Element) => `${element.className}: ${(element.textContent ?? '').slice(0, 40)}`;
    // The painted part of an element: its rectangle, clipped by every box around it that clips.
    const paintedRect = (element: Element) => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflowY === 'visible') continue;
        const cut = around.getBoundingClientRect();
        [left, right] = [Math.max(left, cut.left), Math.min(right, cut.right)];
        [top, bottom] = [Math.max(top, cut.top), Math.min(bottom, cut.bottom)];
      }
      return left < right && top < bottom ? { left, right, top, bottom } : undefined;
    };
    const painted = foreign.flatMap((element) => {
      const rect = paintedRect(element);
      return rect === undefined ? [] : [{ element, rect }];
    });
    const isOver = (rect: { left: number; right: number; top: number; bottom: number }) =>
      rect.left < box.right && rect.right > box.left && rect.top < box.bottom && rect.bottom > box.top;
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const amount = pinned.querySelector('.amount');
    const covered: string[] = [];
    const facts: Record<string, string> = {};
    for (const fact of pinned.querySelectorAll('[data-fact]')) {
      facts[fact.getAttribute('data-fact') ?? ''] = fact.textContent ?? '';
      fact.scrollIntoView({ block: 'center' });
      const { left, right, top, bottom } = fact.getBoundingClientRect();
      const points = [
        [(left + right) / 2, (top + bottom) / 2],
        [left + 1, top + 1],
        [right - 1, bottom - 1],
      ] as const;
      for (const [x, y] of points)
        if (!pinned.contains(document.elementFromPoint(x, y))) covered.push(nameOf(fact));
    }
    scrollTo(0, 0);
    return {
      overlapping: painted.filter(({ rect }) => isOver(rect)).map(({ element }) => nameOf(element)),
      above: painted.filter(({ rect }) => rect.top < box.top).map(({ element }) => nameOf(element)),
      covered,
      parsed: [...document.querySelectorAll('.foreign-text')]
        .filter((one) => one.childElementCount > 0)
        .map(nameOf),
      larger: foreign.filter((one) => amount !== null && sizeOf(one) >= sizeOf(amount)).map(nameOf),
      facts,
    };
  });
}

/** The order of the details that identify a payment, and their distance from the top of their box. */
export function measureReach(page: Page): Promise<{ inOrder: boolean; reachPx: number; name: string }> {
  return page.evaluate(() => {
    const pinned = document.querySelector('.pinned');
    const facts = ['amount', 'domain', 'payee', 'network'].map((name) =>
      document.querySelector<HTMLElement>(`.pinned [data-fact="${name}"]`),
    );
    const boxes = facts.flatMap((fact) => (fact === null ? [] : [fact.getBoundingClientRect()]));
    if (pinned === null || boxes.length < facts.length) throw new Error('a pinned fact is missing');
    return {
      inOrder: boxes.every((box, index) => index === 0 || box.top >= (boxes[index - 1]?.bottom ?? 0)),
      reachPx: Math.round((boxes.at(-1)?.bottom ?? 0) - pinned.getBoundingClientRect().top),
      // As it is laid out: a drawn line break is a line break here.
      name: facts[2]?.innerText ?? '',
    };
  });
}
