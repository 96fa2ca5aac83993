/** Kinds of memo that are not text. A text that looks like one of them is marked, so that no two memos read alike. */
const MARKED = /^(id|hash|return|bytes|text):/;

/** A text memo as it stands in a record. */
export function memoOfText(text: string): string {
  return MARKED.test(text) ? `text:${text}` : text;
}
