import { stem, wordsOf } from './search.js';

/** The weight of a word by its place. In the text it counts more often, but never as much as in a title. */
const WEIGHT = { title: 9, heading: 4, summary: 3, text: 3.5 };
/** A usual length in words: repeats of a word count less and less, and the longer the text, the less a word counts. */
const USUAL_WORDS = 900;

/** Guides rank before reference pages, and these before pages that are read once. The first matching pattern counts. */
const RANKS = [
  [/^\/docs\/guides\//, 1.35],
  [/^\/docs\/(?:decisions|proof|security\/threats|security\/asvs|changelog|sdk-reference|api$)/, 0.6],
];

function rankOf(url) {
  return RANKS.find(([pattern]) => pattern.test(url))?.[1] ?? 1;
}

/** The text of a page, without its markup. */
export function textOf(html) {
  return html.replace(/<svg[\s\S]*?<\/svg>|<[^>]*>/g, ' ').replace(/&(?:amp|lt|gt|quot|#39);/g, ' ');
}

function countsOf(text) {
  const counts = new Map();
  for (const word of wordsOf(text)) {
    const term = stem(word);
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** Every term of an entry, with its weight there. */
function weightsOf({ title, headings = [], summary = '', text = '' }) {
  const weights = new Map();
  const add = (counts, weigh) => {
    for (const [term, count] of counts) weights.set(term, (weights.get(term) ?? 0) + weigh(count));
  };
  const body = countsOf(text);
  const length = [...body.values()].reduce((sum, count) => sum + count, 0);
  add(countsOf(title), () => WEIGHT.title);
  add(countsOf(headings.map(([, name]) => name).join(' ')), (count) => WEIGHT.heading * Math.min(count, 2));
  add(countsOf(summary), () => WEIGHT.summary);
  add(body, (count) => (WEIGHT.text * count * 2) / (count + 0.8 + (0.8 * length) / USUAL_WORDS));
  return weights;
}

/** For each term the entries that have it, each followed by its weight in tenths. */
export function makeIndex(entries) {
  const terms = {};
  for (const [at, entry] of entries.entries())
    for (const [term, weight] of weightsOf(entry)) {
      terms[term] ??= [];
      terms[term].push(at, Math.max(1, Math.round(weight * 10)));
    }
  return {
    entries: entries.map(({ url, title, kind, headings }) => ({
      url,
      title,
      kind,
      rank: rankOf(url),
      ...(headings === undefined || headings.length === 0 ? {} : { headings }),
    })),
    terms,
  };
}
