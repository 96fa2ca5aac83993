import type { TSchema, Type as TypeBox } from 'typebox';

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
