export const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Longer than any client's; what is behind it is not read. */
const LONGEST_ACCEPT = 1_000;

/** Whether a caller prefers problem details (RFC 9457) to plain JSON. Equally welcome, or nothing said: plain JSON. */
export function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const ranges = accept.slice(0, LONGEST_ACCEPT).toLowerCase().split(',').map(rangeOf);
  return weightOf('application/problem+json', ranges) > weightOf('application/json', ranges);
}

interface Range {
  type: string;
  weight: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const stated = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = stated === undefined ? 1 : Number(stated.slice(2));
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The most specific range counts (RFC 9110). */
function weightOf(type: string, ranges: readonly Range[]): number {
  for (const wanted of [type, 'application/*', '*/*']) {
    const range = ranges.find((candidate) => candidate.type === wanted);
    if (range) return range.weight;
  }
  return 0;
}
