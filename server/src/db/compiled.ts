import type postgres from '../../vendor/postgres/src/index.js';
import type { Sql } from './open.ts';

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
  const names = new Proxy({} as Parameters, { get: (_target, name) => new Name(name as keyof Parameters) });
  const whole = build(recorder as unknown as Sql, names);
  if (!(whole instanceof Text))
    throw new TypeError('A compiled statement is written with the sql it is given.');
  const strings = Object.assign([...whole.strings], { raw: whole.strings });
  const parameters = whole.names as (keyof Parameters)[];
  return (sql, values) =>
    sql<Row[]>(strings, ...parameters.map((name) => values[name] as postgres.ParameterOrFragment<never>));
}

/** A parameter, as `build` sees it. */
class Name {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Text with a name between each two strings. */
class Text {
  readonly strings: readonly string[];
  readonly names: readonly PropertyKey[];

  constructor(strings: readonly string[], names: readonly PropertyKey[]) {
    this.strings = strings;
    this.names = names;
  }
}

/** As much of the driver as writing a statement takes. */
const recorder = Object.assign(
  (first: TemplateStringsArray | string, ...values: unknown[]): Text => {
    if (typeof first === 'string') return new Text([`"${first.replaceAll('"', '""')}"`], []);
    const strings = [first[0] ?? ''];
    const names: PropertyKey[] = [];
    values.forEach((value, index) => {
      append(strings, names, value);
      strings[strings.length - 1] += first[index + 1] ?? '';
    });
    return new Text(strings, names);
  },
  { unsafe: (text: string) => new Text([text], []) },
);

function append(strings: string[], names: PropertyKey[], value: unknown): void {
  if (value instanceof Name) {
    names.push(value.name);
    strings.push('');
  } else if (value instanceof Text) {
    strings[strings.length - 1] += value.strings[0] ?? '';
    strings.push(...value.strings.slice(1));
    names.push(...value.names);
  } else {
    throw new TypeError('A value inside of a compiled statement: make it a parameter, or part of the text.');
  }
}
