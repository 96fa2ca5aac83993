import { layoutOf, ofMerchant } from '../../db/layout.ts';
import type { Sql } from '../../db/open.ts';
import { inReach, type Reach, withMerchant } from './reach.ts';

/** Records that belong to a connection, each with the name of its id. */
export const ID_COLUMNS = { agent_payments: 'agent_payment_id', automation_policies: 'policy_id' } as const;
export type OwnedTable = keyof typeof ID_COLUMNS;

/** The part of a reach on one node, and the connection to query it. */
export interface ReachPart<Any extends Sql = Sql> {
  sql: Any;
  reach: Reach;
}

/**
 * Statements about one merchant run on its node. A wallet has records with each merchant that it is connected to: on
 * one database they are queried together, on a distributed one node by node.
 */
export async function partsOf<Any extends Sql>(sql: Any, reach: Reach): Promise<ReachPart<Any>[]> {
  if (reach.merchantId !== undefined) return [{ sql: ofMerchant(sql, reach.merchantId), reach }];
  const merchants = async () => {
    const rows = await sql<{ merchant_id: string }[]>`
      select distinct o.merchant_id from connections o where ${inReach(sql, reach)}`;
    return rows.map((row) => row.merchant_id);
  };
  return layoutOf(sql).across(sql, merchants, (own, merchantId) => ({
    sql: own as Any,
    reach: merchantId === undefined ? reach : withMerchant(reach, merchantId),
  }));
}

/** The part that has the record; undefined when none has. */
export async function partWith<Any extends Sql>(
  sql: Any,
  reach: Reach,
  table: OwnedTable,
  id: string,
): Promise<ReachPart<Any> | undefined> {
  const parts = await partsOf(sql, reach);
  if (parts.length < 2) return parts[0];
  const merchants = parts.map((part) => part.reach.merchantId ?? '');
  const [row] = await sql<{ merchant_id: string }[]>`
    select o.merchant_id from ${sql(table)} o
    where o.merchant_id = any(${merchants}::id[]) and ${sql(`o.${ID_COLUMNS[table]}`)} = ${id} and ${inReach(sql, reach)}`;
  return parts.find((part) => part.reach.merchantId === row?.merchant_id);
}

/** One page of records, newest first, from all parts. */
export async function newestOf<Row extends { created_at: Date }>(
  sql: Sql,
  reach: Reach,
  { limit, idOf }: { limit: number; idOf(row: Row): string },
  read: (part: ReachPart) => PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  const [first = [], ...others] = await Promise.all((await partsOf(sql, reach)).map(read));
  if (others.length === 0) return [...first];
  const isOlder = (a: Row, b: Row) =>
    b.created_at.getTime() - a.created_at.getTime() || (idOf(a) < idOf(b) ? 1 : -1);
  return [first, ...others].flat().sort(isOlder).slice(0, limit);
}
