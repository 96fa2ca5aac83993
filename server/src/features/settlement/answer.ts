import { ExactNumber, fitsPrecision, isDecimal, normaliseDecimal, parseExactJson } from '@payassent/protocol';
import type { ChainFetch } from './chain.ts';

/** A response from a source that cannot be used. Its text is never logged: it may repeat the address and its key. */
class SourceFault extends Error {
  override readonly name = 'SourceFault';
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The readers below parse what a source sent; any deviation is an error of the source. */
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

/** The node understood the call and rejected it. */
export class RpcError extends SourceFault {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type RpcCall = (method: string, params: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

/** Nodes of the bitcoind family send errors with status 500 as well, so the body decides and not the status. */
export function createRpc(url: string, fetch: ChainFetch): RpcCall {
  let lastId = 0;
  return async (method, params, signal) => {
    lastId += 1;
    const id = lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = partsOf(parseAnswer((await fetch({ url, method: 'POST', headers, body }, signal)).body));
    const error = errorOf(answer);
    if (error !== undefined) throw error;
    must(answer.id === id && answer.result !== undefined, 'a response to another call');
    return answer.result;
  };
}

function errorOf({ error }: JsonObject): RpcError | undefined {
  if (error === undefined || error === null) return undefined;
  const { code, message } = partsOf(error);
  must(typeof code === 'number' && typeof message === 'string', 'an error of another form');
  return new RpcError(code, message);
}
