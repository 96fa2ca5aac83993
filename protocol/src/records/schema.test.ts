import { Type as TypeBox } from 'typebox';
import { expect, it } from 'vitest';
import { Type } from './schema.ts';

/** With every builder, and what each may be given. */
const stated = (type: typeof Type) =>
  type.Object(
    {
      name: type.String({ minLength: 1, description: 'A name.' }),
      age: type.Optional(type.Integer({ minimum: 0 })),
      isOpen: type.Boolean(),
      any: type.Optional(type.Unknown({ description: 'Anything.' })),
      list: type.Array(type.Union([type.Literal('a'), type.Literal(7), type.Literal(true), type.Null()]), {
        maxItems: 3,
      }),
      own: type.Optional(type.Unsafe<string>({ type: 'string', format: 'date-time' })),
      none: type.Object({}),
      allOptional: type.Object({ only: type.Optional(type.String()) }, { additionalProperties: false }),
    },
    { title: 'Stated', description: 'One.' },
  );

it('builds the schema that TypeBox builds, member by member', () => {
  expect(JSON.stringify(stated(Type))).toBe(JSON.stringify(stated(TypeBox)));
});

it('takes a copy of an optional property for a required one, and leaves the original optional', () => {
  const optional = Type.Optional(Type.String());
  expect(Type.Object({ optional, copy: { ...optional, description: 'A copy.' } }).required).toEqual(['copy']);
});
