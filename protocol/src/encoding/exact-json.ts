/**
 * JSON in which numbers come back digit for digit. JavaScript reads 1.10 as 1.1 and 12345678901234567890 as another
 * number; where another party's data only passes through, it must leave as it came.
 */

/** A number that JavaScript cannot write as it was written. All others are ordinary numbers. */
export class ExactNumber {
  /** The token of JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * In canonical JSON, which knows only doubles: an integer beyond ±(2^53 − 1), and what no double holds at all, counts as
   * its text, so that two of them are never taken for one.
   */
  canonical(): string {
    const value = Number(this.text);
    return isUnsafeInteger(this.text) || !Number.isFinite(value)
      ? JSON.stringify(this.text)
      : JSON.stringify(value);
  }

  /** This value never reaches the output: the call only signals to `exactJson` that it has to write the text itself. */
  toJSON(): null {
    hasMetOne = true;
    return null;
  }
}

let hasMetOne = false;

/** Finds in one sweep whether a text may hold such a number; most have none, and are read as ever. Clock times are none. */
const SUSPECT = /(?:^|[[,]|"\s*:)\s*(?:-0|-?\d+[.eE]|-?\d{16})/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARKED_STRING = /"\\u0000([^"]*)"/g;
/** No text of strict JSON contains it. */
const MARK = '\0';

/** As `JSON.parse`, of text without U+0000; throws like it. */
export function parseExactJson(text: string): unknown {
  return SUSPECT.test(text) ? readExactly(text) : JSON.parse(text);
}

/**
 * As `JSON.parse`, but an integer beyond ±(2^53 − 1) comes as its text, as it counts in digests: no digit is lost, and
 * what was read has the digest of what was written.
 */
export function parseJsonKeepingDigits(text: string): unknown {
  return SUSPECT.test(text)
    ? readExactly(text, (token) => JSON.parse(new ExactNumber(token).canonical()))
    : JSON.parse(text);
}

/** As `JSON.stringify`, with exact numbers as they were written. Text without one costs nothing more. */
export function exactJson(value: unknown): string {
  hasMetOne = false;
  const text = JSON.stringify(value);
  return hasMetOne ? writeExactly(value) : text;
}

function readExactly(
  text: string,
  make: (token: string) => unknown = (token) => new ExactNumber(token),
): unknown {
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isOrdinaryNumber(token) ? token : JSON.stringify(MARK + token),
  );
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? make(value.slice(1)) : value,
  );
}

function writeExactly(value: unknown): string {
  const marked = JSON.stringify(value, function (this: Record<string, unknown>, key, written: unknown) {
    const original = this[key];
    return original instanceof ExactNumber ? MARK + original.text : written;
  });
  return marked.replace(MARKED_STRING, '$1');
}

/** Whether JavaScript writes the number as it was written. */
export function isOrdinaryNumber(token: string): boolean {
  return String(Number(token)) === token && !isUnsafeInteger(token);
}

function isUnsafeInteger(token: string): boolean {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
}
