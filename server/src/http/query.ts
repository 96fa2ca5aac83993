import type { Issue } from '@countersign/protocol';
import type { TSchema } from 'typebox';
import { AppError } from '../errors.ts';

export type RawQuery = Record<string, string | string[]>;

/** Keeps repeated parameters visible; a plain object with no prototype, so that names are only data. */
export function parseQuery(text: string): RawQuery {
  const query: RawQuery = Object.create(null) as RawQuery;
  for (const [name, value] of new URLSearchParams(text)) {
    const known = query[name];
    query[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return query;
}

/** Opaque or not: a malformed place in a list has a code of its own. */
const CURSORS = new Set(['cursor', 'since']);

interface PropertySchema {
  type?: string;
  default?: unknown;
}

/** Turns the text of known parameters into what their schema expects. Unknown parameters are dropped. */
export function readQuery(
  raw: RawQuery,
  schema: TSchema | undefined,
): { query: Record<string, unknown>; issues: Issue[] } {
  const query: Record<string, unknown> = {};
  const issues: Issue[] = [];
  const properties =
    (schema as { properties?: Record<string, PropertySchema> } | undefined)?.properties ?? {};
  for (const [name, property] of Object.entries(properties)) {
    const value = raw[name];
    if (value === undefined) {
      if (property.default !== undefined) query[name] = property.default;
    } else if (CURSORS.has(name) && (typeof value !== 'string' || value.includes('\u0000'))) {
      throw new AppError('invalid_cursor', { field: name });
    } else if (typeof value !== 'string') {
      issues.push({ field: name, code: 'invalid_type', message: `${name} was sent more than once.` });
    } else if (value.includes('\u0000')) {
      issues.push({ field: name, code: 'invalid_format', message: `${name} contains U+0000.` });
    } else if (property.type !== 'integer') {
      query[name] = value;
    } else if (/^-?\d+$/.test(value)) {
      query[name] = Number(value);
    } else {
      issues.push({ field: name, code: 'invalid_type', message: `${name} must be a whole number.` });
    }
  }
  return { query, issues };
}
