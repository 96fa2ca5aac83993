/**
 * The search of the documentation: any word of the query counts, in every form and with a typo. The build makes the
 * index with the same stemming, so that both sides get the same terms.
 */

/** Words of the phrasing of a query, not of its subject. */
const SILENT = new Set(
  'a an and are as at be by can do does for from get has have how i if in into is it its me my not of on or our own see so that the their then there this to use using want was what when where which who why will with without you your'.split(
    ' ',
  ),
);

/** Endings without which forms of one word are alike, the longest first. */
const ENDINGS =
  'izations ization ications ication ancies encies ations ation ments ancy ency ance ence ings iers ions ible able ment ness ies ied ier ing ion ent ant als ers ors ity ed es al er or ly e s y'.split(
    ' ',
  );
const SHORTEST_STEM = { long: 4, short: 3 };

/** One word without its endings: `retries`, `retrying` and `retry` are alike. */
export function stem(word) {
  let cut = word;
  // Twice at most: `payments` first loses its plural.
  for (let round = 0; round < 2; round += 1) {
    const ending = ENDINGS.find(
      (one) =>
        cut.endsWith(one) &&
        cut.length - one.length >= (one.length > 2 ? SHORTEST_STEM.long : SHORTEST_STEM.short),
    );
    if (ending === undefined || (ending === 's' && cut.endsWith('ss'))) break;
    cut = cut.slice(0, -ending.length);
    if (ending !== 's') break;
  }
  // `retrying` and `retry`.
  if (cut.length > SHORTEST_STEM.long) cut = cut.replace(/[ey]$/, '');
  // `running` and `run`.
  return cut.replace(/([bdgmnprt])\1$/, '$1');
}

/** The words of a text, in order; names of programs also in their parts: `payment_request`, `createAgent`. */
export function wordsOf(text) {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 || /\d/.test(word));
}

/** The subject of a query; where it has nothing but silent words, those. */
function askedWords(question) {
  const words = wordsOf(question);
  const telling = words.filter((word) => !SILENT.has(word));
  return telling.length === 0 ? words : telling;
}

/** Common words for which the documentation uses other terms. */
const SAID_OTHERWISE = {
  account: ['merchant', 'organization'],
  callback: ['webhook'],
  charge: ['payment'],
  credential: ['key'],
  docker: ['deploy'],
  duplicate: ['idempotency'],
  install: ['start'],
  login: ['sign'],
  mobile: ['phone'],
  money: ['payment'],
  password: ['passkey'],
  phone: ['device'],
  postgres: ['postgresql', 'database'],
  quota: ['limit'],
  recurring: ['automation', 'policy'],
  roll: ['rotate'],
  subscription: ['automation', 'policy'],
  throttle: ['rate', 'limit'],
  timeout: ['retry'],
  twice: ['idempotency'],
  user: ['payer', 'wallet'],
};

const CERTAIN = { exact: 1, otherwise: 0.7, begun: 0.45, oneSlip: 0.7, twoSlips: 0.45 };

/** Letters that were left out, added, changed or exchanged, up to two; more than that is another word. */
function slips(left, right) {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let before = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[right.length];
}

/** The terms of the index that a word may mean, and how certain that is. */
function meanings(terms, word, isLast) {
  const cut = stem(word);
  const found = new Map();
  const add = (term, certainty) => {
    if (Object.hasOwn(terms, term)) found.set(term, Math.max(certainty, found.get(term) ?? 0));
  };
  add(cut, CERTAIN.exact);
  const known = [word, word.replace(/s$/, '')].find((one) => Object.hasOwn(SAID_OTHERWISE, one));
  for (const other of known === undefined ? [] : SAID_OTHERWISE[known]) add(stem(other), CERTAIN.otherwise);
  // The last word may still be typed.
  if (isLast && word.length >= 3)
    for (const term of Object.keys(terms)) if (term.startsWith(word)) add(term, CERTAIN.begun);
  if (found.size > 0 || cut.length < 4) return found;
  let fewest = cut.length < 7 ? 1 : 2;
  for (const term of Object.keys(terms)) {
    if (term.length < 3) continue;
    const count = slips(cut, term);
    if (count > fewest) continue;
    if (count < fewest) found.clear();
    fewest = count;
    found.set(term, count === 1 ? CERTAIN.oneSlip : CERTAIN.twoSlips);
  }
  return found;
}

/** The entries that match a query, the best first, each with its best matching heading. */
export function search(index, question, most = 12) {
  const { entries, terms } = index;
  const words = askedWords(question);
  const points = new Map();
  const hits = new Map();
  const meant = words.map((word, at) => meanings(terms, word, at === words.length - 1));
  for (const terms_ of meant) {
    const best = new Map();
    for (const [term, certainty] of terms_) {
      const places = terms[term];
      const rarity = Math.log(1 + (2 * entries.length) / places.length);
      for (let at = 0; at < places.length; at += 2) {
        const sum = certainty * rarity * places[at + 1];
        if (sum > (best.get(places[at]) ?? 0)) best.set(places[at], sum);
      }
    }
    for (const [entry, sum] of best) {
      points.set(entry, (points.get(entry) ?? 0) + sum);
      hits.set(entry, (hits.get(entry) ?? 0) + 1);
    }
  }
  return [...points]
    .map(([at, sum]) => ({
      at,
      sum: sum * (hits.get(at) / words.length) ** 2 * rank(entries[at], question, meant),
    }))
    .sort((left, right) => right.sum - left.sum)
    .slice(0, most)
    .map(({ at }) => withHeading(entries[at], question, meant));
}

/** A name of programs, typed as it is written there. */
const NAME = /^\w+(?:_|[a-z][A-Z])\w+$/;
const NAMED = 4;

function rank(entry, question, meant) {
  const isNamed =
    NAME.test(question) &&
    (entry.url.endsWith(`#${question}`) || entry.headings?.some(([id]) => id === question));
  return (1 + titleShare(entry, meant)) * entry.rank * (isNamed ? NAMED : 1);
}

/** The share of the title that the query covers: a page of that name ranks before one that also mentions it. */
function titleShare({ title }, meant) {
  const inTitle = [...new Set(wordsOf(title).filter((word) => !SILENT.has(word)))].map(stem);
  const asked = inTitle.filter((term) => meant.some((terms) => terms.has(term)));
  return inTitle.length === 0 ? 0 : asked.length / inTitle.length;
}

function withHeading({ url, title, kind, headings = [] }, question, meant) {
  let heading;
  let most = 0;
  for (const [id, text] of headings) {
    const inIt = new Set(wordsOf(text).map(stem));
    const fits = meant.filter((terms) => [...terms.keys()].some((term) => inIt.has(term))).length;
    const count = id === question ? Number.POSITIVE_INFINITY : fits;
    if (count > most) {
      most = count;
      heading = { id, text };
    }
  }
  return { url: heading === undefined ? url : `${url}#${heading.id}`, page: url, title, kind, heading };
}
