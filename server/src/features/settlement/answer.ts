import { ExactNumber, fitsPrecision, isDecimal, normaliseDecimal, parseExactJson } from '@payassent/protocol';

/** A source that answers what cannot be used. Its text goes into no log: an answer may repeat the address and its key. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The readers below take what a source sent apart; whatever is not as it must be is a fault of the source. */
export function parseAnswer(body: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new SourceFault('no JSON');
  }
}

export function partsOf(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SourceFault('no object');
  return value as JsonObject;
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new SourceFault('no list');
  return value;
}

export function textOf(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new SourceFault('text of another form');
  return value;
}

export function wholeOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new SourceFault('no whole number');
  return value;
}

/** An amount as exact text. Programs in JavaScript write small numbers with an exponent. */
export function amountOf(value: unknown, decimals: number): string {
  const text = value instanceof ExactNumber ? value.text : String(value);
  const plain = /^\d(\.\d+)?e-\d$/i.test(text) ? Number(text).toFixed(decimals) : text;
  if (!isDecimal(plain) || !fitsPrecision(plain, decimals)) throw new SourceFault('no amount');
  return normaliseDecimal(plain);
}

/** Seconds since 1970, or a text, as the time of a record. */
export function timeOf(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value * 1000 : textOf(value, /^\d{4}-\d\d-\d\dT/));
  if (Number.isNaN(date.getTime())) throw new SourceFault('no time');
  return date.toISOString();
}

export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new SourceFault(otherwise);
}
