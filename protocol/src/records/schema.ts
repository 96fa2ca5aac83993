import type { TBoolean, TObject, TProperties, TSchema, TString, TUnsafe, Type as TypeBox } from 'typebox';
import type { IdPrefix } from '../ids.ts';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

/** Which properties of an object may be absent. It is hidden: no part of the JSON Schema, and a copy lacks it. */
const OPTIONAL = Symbol('optional');

const isOptional = (schema: object) => OPTIONAL in schema;

/**
 * The builders of TypeBox that state our schemas, with its types. Its own code for them is 373 modules, which every
 * start of a process would load.
 */
export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Object: (properties: Record<string, TSchema>, options?: object) => {
    const required = Object.entries(properties).flatMap(([name, schema]) =>
      isOptional(schema) ? [] : [name],
    );
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: TSchema) => schema,
} as unknown as Builders;

/**
 * Building blocks in plain JSON Schema 2020-12, as Ajv and OpenAPI 3.1 read it: enumerations are
 * `type` + `enum`, nullable is a list of types. Records are open: a client ignores members it does not know,
 * so that adding one later breaks no one. Every member has a description: it is the text of the reference page, of
 * OpenAPI and of the editor's hover.
 */
export function record<Members extends TProperties>(
  title: string,
  description: string,
  members: Members,
): TObject<Members> {
  return Type.Object(members, { title, description });
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });
}

export function nullableOneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
): TUnsafe<Values[number] | null> {
  return Type.Unsafe<Values[number] | null>({
    type: ['string', 'null'],
    enum: [...values, null],
    description,
  });
}

export function constant<const Value extends string | boolean>(
  value: Value,
  description: string,
): TUnsafe<Value> {
  return Type.Unsafe<Value>({ type: typeof value, const: value, description });
}

export function id(prefix: IdPrefix, description: string): TUnsafe<string> {
  return pattern(idPattern(prefix), description);
}

export function nullableId(prefix: IdPrefix, description: string): TUnsafe<string | null> {
  return nullablePattern(idPattern(prefix), description);
}

function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`;
}

export function pattern(regex: string, description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', pattern: regex, description });
}

export function nullablePattern(regex: string, description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: regex, description });
}

/** RFC 3339 in UTC with milliseconds and Z. */
export function time(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', description });
}

export function nullableTime(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
}

/** At least one character. */
export function text(description: string, maxLength?: number): TUnsafe<string> {
  const limit = maxLength === undefined ? {} : { maxLength };
  return Type.Unsafe<string>({ type: 'string', minLength: 1, ...limit, description });
}

export function nullableText(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], description });
}

/** Also the empty one. */
export function anyText(description: string): TString {
  return Type.String({ description });
}

export function flag(description: string): TBoolean {
  return Type.Boolean({ description });
}

export function integer(description: string, minimum = 0, maximum?: number): TUnsafe<number> {
  const limit = maximum === undefined ? {} : { maximum };
  return Type.Unsafe<number>({ type: 'integer', minimum, ...limit, description });
}

export function nullableInteger(description: string, minimum = 0, maximum?: number): TUnsafe<number | null> {
  const limit = maximum === undefined ? {} : { maximum };
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, ...limit, description });
}

/** Used for optimistic updates; starts at 1. */
export function version(): TUnsafe<number> {
  return integer('Raised by every change, which names the previous one.', 1);
}

export function freeObject(description: string): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

export function nullableFreeObject(description: string): TUnsafe<Record<string, unknown> | null> {
  return Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });
}

export function digest(description: string): TUnsafe<string> {
  return pattern('^sha256:[0-9a-f]{64}$', description);
}

/** Where generated types find the name of a string that only the server can judge. No part of the JSON Schema. */
export const TYPE_NAME: unique symbol = Symbol('type name');

/** A string with a named type whose values the schema does not list. */
export function typed<Of>(name: string, schema: { type: 'string'; description?: string }): TUnsafe<Of> {
  return Type.Unsafe<Of>({ ...schema, [TYPE_NAME]: name });
}
