import { readFileSync } from 'node:fs';
import path from 'node:path';
import { slug } from './layout.mjs';

export const CONCEPTS = 'docs/concepts.md';

/** Text of these is never linked: it has a link, is code, or is a heading that links lead to. */
const CLOSED = new Set(['a', 'code', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'svg']);
const TAG = /<(\/?)([a-z][a-z0-9]*)[^>]*>/g;

/** Every word that the tables of the concepts define, longest first, so that “payee proof” is not taken for “payee”. */
export function termsOf(root) {
  const text = readFileSync(path.join(root, CONCEPTS), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const words = rows.flatMap((row) => [...row.matchAll(/\*\*(.+?)\*\*/g)].map(([, word]) => word));
  return words
    .map((word) => ({ id: slug(word), pattern: patternOf(word) }))
    .sort((a, b) => b.id.length - a.id.length);
}

function patternOf(word) {
  const one = word.toLowerCase().replace(/([^s])s$/, '$1');
  const stem = one.endsWith('y') ? `${one.slice(0, -1)}(?:y|ies)` : `${one}(?:s|es)?`;
  return new RegExp(`(?<![\\w-])${stem}(?![\\w-])`, 'i');
}

/** The first use of each term on a page leads to its row of the concepts. */
export function withTermLinks(html, terms) {
  const open = new Set(terms);
  return mapText(html, (text) => linkFirst(text, open));
}

/** The words of the concepts get the names that the links lead to. */
export function withTermAnchors(html) {
  return html.replace(/<td>.*?<\/td>/g, (cell) =>
    cell.replace(/<strong>(.+?)<\/strong>/g, (_, word) => `<strong id="${slug(word)}">${word}</strong>`),
  );
}

function linkFirst(text, open) {
  for (const term of open) {
    const found = term.pattern.exec(text);
    if (found === null) continue;
    open.delete(term);
    const before = linkFirst(text.slice(0, found.index), open);
    const after = linkFirst(text.slice(found.index + found[0].length), open);
    return `${before}<a class="term" href="/docs/concepts#${term.id}">${found[0]}</a>${after}`;
  }
  return text;
}

/** Applies `change` to the text between tags, but for what is in a closed element. */
function mapText(html, change) {
  const parts = [];
  let closed = 0;
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    const text = html.slice(at, match.index);
    parts.push(closed > 0 ? text : change(text), match[0]);
    if (CLOSED.has(match[2])) closed += match[1] === '/' ? -1 : 1;
    at = match.index + match[0].length;
  }
  return parts.join('') + html.slice(at);
}
