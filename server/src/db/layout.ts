/**
 * How a database is laid out: on one machine, or distributed by merchant over several (docs/decisions/0015-many-machines.md).
 */
const IS_DISTRIBUTED = Symbol('is distributed');

interface Marked {
  [IS_DISTRIBUTED]?: boolean;
}

export function isDistributed(sql: object): boolean {
  return (sql as Marked)[IS_DISTRIBUTED] === true;
}

/** Says of the connections of `db` what is known of `known`, or that they lead to a distributed database. */
export function markLayout<Any extends object>(db: Any, known: object | 'distributed'): Any {
  if (known === 'distributed' || isDistributed(known)) (db as Marked)[IS_DISTRIBUTED] = true;
  return db;
}
