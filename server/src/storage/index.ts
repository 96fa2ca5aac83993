/**
 * The statements that differ between a database on one machine and one that is distributed over several. Features and
 * the payment core get them here; only `storage/` and `db/layout.ts` know that there are two kinds. Guarantee: whatever
 * the kind, the same outcome in one commit.
 */
import { type LearnLayout, layOut, layoutOf, readIsDistributed } from '../db/layout.ts';
import * as postgres from './postgres/index.ts';
import type { Statements } from './statements.ts';

export function statementsOf(sql: object): Statements {
  return (layoutOf(sql).statements as Statements | undefined) ?? postgres.statements;
}

export const learnLayout: LearnLayout = async (db, ...others) => {
  if (!(await readIsDistributed(db))) return;
  const { onCitus } = await import('./citus/index.ts');
  for (const each of [db, ...others]) layOut(each, onCitus);
};
