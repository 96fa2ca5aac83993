import type postgres from '../../vendor/postgres/src/index.js';
import type { Sql } from './open.ts';
import { asText, Text, writeText } from './text.ts';

/**
 * A statement whose parts are put together once. The driver does that at each call, and makes a promise of each part:
 * for a long statement of many parts 40 µs, and as much again for the garbage.
 *
 * `build` writes it as any other statement, but sees names instead of values: what it does with a parameter is to put it
 * into the text. What decides about the text is no parameter, so each form is a statement of its own.
 */
export function compiled<Row extends object, Parameters extends object>(
  build: (sql: Sql, parameters: Parameters) => unknown,
): (sql: Sql, parameters: Parameters) => postgres.PendingQuery<Row[]> {
  const whole = written(build);
  // Frozen as a template of the source is: the driver then keeps its text.
  const strings = Object.freeze(whole.template());
  const names = whole.values.map((value) => nameOf(value) as keyof Parameters);
  return (sql, values) =>
    sql<Row[]>(strings, ...names.map((name) => values[name] as postgres.ParameterOrFragment<never>));
}

/** The same as text, in which each parameter is its own name: for the body of a function of the database. */
export function bodyText<Parameters extends object>(
  build: (sql: Sql, parameters: Parameters) => unknown,
): Text {
  const { strings, values } = written(build);
  return values.reduce<Text>(
    (text, value, index) =>
      writeText`${text}${asText(String(nameOf(value)))}${asText(strings[index + 1] ?? '')}`,
    asText(strings[0] ?? ''),
  );
}

function written<Parameters extends object>(build: (sql: Sql, parameters: Parameters) => unknown): Text {
  const names = new Proxy({} as Parameters, { get: (_target, name) => new Name(name) });
  const whole = build(writer as unknown as Sql, names);
  if (!(whole instanceof Text))
    throw new TypeError('A compiled statement is written with the sql it is given.');
  return whole;
}

/** A parameter, as `build` sees it. */
class Name {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

function nameOf(value: unknown): PropertyKey {
  if (value instanceof Name) return value.name;
  throw new TypeError('A value inside of a compiled statement: make it a parameter, or part of the text.');
}

/** As much of the driver as writing a statement takes. */
const writer = Object.assign(writeText, { unsafe: asText });
