import type { Issue } from '@payassent/protocol';
import type { TSchema } from 'typebox';
import { AppError } from '../../errors.ts';
import { REQUEST_SIZES } from '../../limits.ts';

export type RawQuery = Record<string, string | string[]> & {
  /** Set when there were more parameters than a call may have; those after the last allowed one were not read. */
  [TOO_MANY]?: true;
};

const TOO_MANY = Symbol('too many parameters');
/** No call has a quarter as many. */
const MAX_PARAMETERS = REQUEST_SIZES.queryParameters.count;

/** Nothing in it is encoded. Most queries are like that, and splitting them takes a fifth of the parser's time. */
const PLAIN = /^[\w.~:,/@!$'()*;=&-]*$/;

/** Keeps repeated parameters visible. Names are only data: none has a meaning for the object. */
export function parseQuery(text: string): RawQuery {
  const query = new Nameless() as RawQuery;
  if (text === '') return query;
  if (PLAIN.test(text)) cutUp(text, query);
  else readEncoded(text, query);
  return query;
}

/** An object without a prototype. Created by a constructor it is several times as fast as `Object.create(null)`. */
const Nameless = function Nameless() {} as unknown as new () => object;
Nameless.prototype = Object.freeze(Object.create(null));

function readEncoded(text: string, query: RawQuery): void {
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (count === MAX_PARAMETERS) {
      query[TOO_MANY] = true;
      return;
    }
    count += 1;
    add(query, name, value);
  }
}

function cutUp(text: string, query: RawQuery): void {
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const next = text.indexOf('&', start);
    end = next < 0 ? text.length : next;
    if (end === start) continue;
    if (count === MAX_PARAMETERS) {
      query[TOO_MANY] = true;
      return;
    }
    count += 1;
    const at = text.indexOf('=', start);
    if (at < 0 || at > end) add(query, text.slice(start, end), '');
    else add(query, text.slice(start, at), text.slice(at + 1, end));
  }
}

function add(query: RawQuery, name: string, value: string): void {
  const known = query[name];
  if (known === undefined) query[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else query[name] = [known, value];
}

/** One issue, instead of one for each of them. */
export function tooManyIssue(query: RawQuery): Issue | undefined {
  if (!query[TOO_MANY]) return undefined;
  return {
    field: 'query',
    code: 'too_many',
    message: `A call takes at most ${MAX_PARAMETERS} query parameters.`,
  };
}

/** A malformed position in a list has a separate code, opaque or not. */
const CURSORS = new Set(['cursor', 'since']);

interface PropertySchema {
  type?: string;
  default?: unknown;
}

export type QueryReader = (raw: RawQuery) => { query: Record<string, unknown>; issues: Issue[] };

/**
 * Converts the text of known parameters into what their schema expects; unknown ones are left for the caller to report.
 */
export function compileQueryReader(schema: TSchema | undefined): QueryReader {
  const properties = Object.entries(
    (schema as { properties?: Record<string, PropertySchema> } | undefined)?.properties ?? {},
  );
  return (raw) => {
    const query: Record<string, unknown> = {};
    const issues: Issue[] = [];
    for (const [name, property] of properties) {
      const value = raw[name];
      if (value === undefined) {
        if (property.default !== undefined) query[name] = property.default;
      } else {
        const read = readParameter(name, value, property);
        if (isIssue(read)) issues.push(read);
        else query[name] = read;
      }
    }
    return { query, issues };
  };
}

function readParameter(
  name: string,
  value: string | string[],
  property: PropertySchema,
): string | number | Issue {
  if (CURSORS.has(name) && (typeof value !== 'string' || value.includes('\u0000')))
    throw new AppError('invalid_cursor', { field: name });
  if (typeof value !== 'string')
    return { field: name, code: 'invalid_type', message: `${name} was sent more than once.` };
  if (value.includes('\u0000'))
    return { field: name, code: 'invalid_format', message: `${name} contains U+0000.` };
  if (property.type !== 'integer') return value;
  if (/^-?\d+$/.test(value)) return Number(value);
  return { field: name, code: 'invalid_type', message: `${name} must be a whole number.` };
}

function isIssue(read: string | number | Issue): read is Issue {
  return typeof read === 'object';
}
