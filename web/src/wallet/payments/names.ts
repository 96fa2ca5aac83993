/** Marks that pages use to say that something was checked. */
const MARKS =
  /[\u2705\u2611\u2610\u2713\u2714\u2717\u2718\u221a\u2b50\u2605\u{1f5f8}\u{1f512}\u{1f510}\u{1f6e1}\u{1f396}\u{1f3c5}\u{1f947}\u{1f4af}\u{1f197}\u{1f44d}\u{2b55}]/u;
/** Words that only the page itself may say about a payee. */
const WORDS =
  /verif|approved|trusted|official|secure|confirmed|refund|payassent|bestatigt|gepruft|freigegeben|offiziell|erstattung/;
/** A number with a fraction, or beside the sign of a currency or an asset. */
const AMOUNT = /\d[.,]\d|[$€£¥₿]\s?\d|\d\s?[$€£¥₿]|\d\s?[A-Z]{3,5}\b|\b[A-Z]{3,5}\s?\d/u;
/** Letters of other scripts that are drawn like Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', х: 'x', у: 'y', і: 'i', ѕ: 's', ԁ: 'd', ո: 'n', ν: 'v' },
  ...{ ο: 'o', α: 'a', ε: 'e', ι: 'i', τ: 't', ѵ: 'v', ᴠ: 'v', ɩ: 'i', ⅰ: 'i', ł: 'l', ı: 'i', ƒ: 'f' },
};

/**
 * Whether a name says what only the page may say: that something was checked, or how much is paid. Names are chosen by
 * their owners; a shop that is really called so loses the place beside the amount and nothing else.
 */
export function makesClaims(name: string): boolean {
  const plain = name.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  const folded = [...plain.toLowerCase()].map((letter) => LOOK_ALIKES[letter] ?? letter).join('');
  const letters = folded.replace(/[^\p{L}]/gu, '').replaceAll('1', 'i');
  return MARKS.test(name) || MARKS.test(plain) || WORDS.test(letters) || AMOUNT.test(plain);
}

/** Letters outside of English can be drawn like others: the name of such a domain begins a part with `xn--`. */
export function isInternational(domain: string): boolean {
  return /(^|\.)xn--/.test(domain);
}
