import { allowedFrom, type MachineName, type Mover, type StateOf } from '@payassent/protocol';
import type { Sql } from './open.ts';

interface GuardOptions {
  /** Where the update names its table by an alias. */
  alias?: 'c' | 'd' | 'i' | 'o' | 'p' | 'r' | 's';
  /** The record may already have the status: another part of it changes. */
  orIs?: boolean;
}

/**
 * The guard of every update that sets a status: true for records that the state table allows `by` to move to `to`.
 * Several targets: the statement decides which, so the record must be able to reach each. The states are literals in
 * the statement, because partial indexes match only constants.
 */
export function mayBecome<Name extends MachineName>(
  sql: Sql,
  name: Name,
  to: StateOf<Name> | readonly StateOf<Name>[],
  by: Mover,
  { alias, orIs = false }: GuardOptions = {},
) {
  const targets = typeof to === 'string' ? [to] : [...(to as readonly StateOf<Name>[])];
  const [first = [], ...others] = targets.map((target) => [
    ...allowedFrom(name, target, by),
    ...(orIs ? [target] : []),
  ]);
  const states = first.filter((state) => others.every((list) => list.includes(state)));
  if (states.length === 0) throw new Error(`No ${by} makes a ${name} ${targets.join(' or ')}.`);
  const column = alias === undefined ? 'status' : `${alias}.status`;
  const listed = states.map((state) => `'${state}'`);
  return sql.unsafe(listed.length === 1 ? `${column} = ${listed[0]}` : `${column} in (${listed.join(', ')})`);
}
