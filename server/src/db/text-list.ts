import type { Sql } from './open.ts';

const SEPARATOR = '\u001f';

/**
 * A column of a list of rows, as one text. A list of JSON objects costs the database 4 µs a row: it builds a hash table
 * of each. No value may be empty or contain a control character; an absent one becomes null.
 */
export function textList(values: readonly (string | number | undefined)[]): string {
  return values.join(SEPARATOR);
}

/** As a function in `rows from`. */
export function fromTextList(sql: Sql, list: string, type: 'text' | 'int' | 'bigint' | 'uuid' = 'text') {
  return sql`unnest(string_to_array(${list}::text, e'\\x1f', '')::${sql.unsafe(type)}[])`;
}
