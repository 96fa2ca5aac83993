import type postgres from '../../vendor/postgres/src/index.js';
import type { Sql } from './open.ts';
import { asText, Text, writeText } from './text.ts';

/**
 * A statement assembled once. The driver assembles a statement on each call and creates a promise per part: 40 µs for a
 * long statement of many parts, and as much again in garbage collection.
 *
 * `build` writes it like any other statement, but receives names instead of values and may only place them in the text.
 * A value that changes the text is no parameter: each form is a separate statement.
 */
export function compiled<Row extends object, Parameters extends object>(
  build: (sql: Sql, parameters: Parameters) => unknown,
): (sql: Sql, parameters: Parameters) => postgres.PendingQuery<Row[]> {
  const whole = written(build);
  // Frozen like a source template: the driver then caches its text.
  const strings = Object.freeze(whole.template());
  const names = whole.values.map((value) => nameOf(value) as keyof Parameters);
  return (sql, values) =>
    sql<Row[]>(strings, ...names.map((name) => values[name] as postgres.ParameterOrFragment<never>));
}

/** The same as text, in which each parameter is its name: for the body of a database function. */
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

/** The part of the driver that writing a statement needs. */
const writer = Object.assign(writeText, { unsafe: asText });
