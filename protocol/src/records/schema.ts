import { type TObject, type TProperties, type TUnsafe, Type } from 'typebox';
import type { IdPrefix } from '../ids.ts';

/**
 * Building blocks in plain JSON Schema 2020-12, as Ajv and OpenAPI 3.1 read it: enumerations are
 * `type` + `enum`, nullable is a list of types. Records are open: a client ignores members it does not know,
 * so that adding one later breaks nobody.
 */
export function record<Members extends TProperties>(title: string, members: Members): TObject<Members> {
  return Type.Object(members, { title });
}

export function oneOf<const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });
}

export function nullableOneOf<const Values extends readonly string[]>(
  values: Values,
): TUnsafe<Values[number] | null> {
  return Type.Unsafe<Values[number] | null>({ type: ['string', 'null'], enum: [...values, null] });
}

export function id(prefix: IdPrefix): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', pattern: idPattern(prefix) });
}

export function nullableId(prefix: IdPrefix): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: idPattern(prefix) });
}

function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`;
}

/** RFC 3339 in UTC with milliseconds and Z. */
export function time(): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time' });
}

export function nullableTime(): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' });
}

export function text(minLength = 1, maxLength?: number): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    minLength,
    ...(maxLength === undefined ? {} : { maxLength }),
  });
}

export function nullableText(): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'] });
}

export function integer(minimum = 0, maximum?: number): TUnsafe<number> {
  return Type.Unsafe<number>({ type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });
}

export function nullableInteger(minimum = 0, maximum?: number): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum,
    ...(maximum === undefined ? {} : { maximum }),
  });
}

/** Used for optimistic updates; starts at 1. */
export function version(): TUnsafe<number> {
  return integer(1);
}

export function freeObject(): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });
}

export function digest(): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', pattern: '^sha256:[0-9a-f]{64}$' });
}
