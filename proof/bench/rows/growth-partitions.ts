import type { Database } from '../../../server/src/db/open.ts';
import type { Ground } from '../bench.ts';

export type Note = (what: string, value: string, how: string) => void;

const PARTITIONS = 64;
const ROWS = 200_000;
const BY_CONNECTION = 'by connection';

/**
 * A copy of the requests in hash partitions by merchant, to see what the hot statements of today would meet there:
 * those that name the merchant touch one partition, those that do not touch all of them.
 */
export async function notePartitions({ database, callers }: Ground, note: Note): Promise<void> {
  const { sql } = database;
  await sql.unsafe('create table parted (like payment_requests) partition by hash (merchant_id)');
  for (let part = 0; part < PARTITIONS; part += 1)
    await sql.unsafe(
      `create table parted_${part} partition of parted for values with (modulus ${PARTITIONS}, remainder ${part})`,
    );
  for (const columns of [
    'unique (merchant_id, request_id, connection_id)',
    'unique (merchant_id, connection_id, idempotency_key)',
  ])
    await sql.unsafe(`alter table parted add ${columns}`);
  await sql`create index on parted (wallet_id, created_at desc, request_id desc)`;
  await sql.unsafe(`insert into parted select * from payment_requests limit ${ROWS}`);
  await sql`analyze parted`;
  const [caller] = callers;
  const [one] = await sql<{ request_id: string; idempotency_key: string }[]>`
    select request_id, idempotency_key from parted where connection_id = ${caller?.connectionId ?? ''} limit 1`;
  if (!caller || !one) throw new Error('nothing was copied');
  const { merchantId, connectionId, walletId } = caller;
  const questions: [string, string, string[]][] = [
    ['by merchant and id', 'merchant_id = $1 and request_id = $2', [merchantId, one.request_id]],
    [
      'by connection and key alone',
      'connection_id = $1 and idempotency_key = $2',
      [connectionId, one.idempotency_key],
    ],
    [
      'by merchant, connection and key',
      'merchant_id = $3 and connection_id = $1 and idempotency_key = $2',
      [connectionId, one.idempotency_key, merchantId],
    ],
    [
      'inbox by wallet alone',
      'wallet_id = $1 order by created_at desc, request_id desc limit 20',
      [walletId],
    ],
    // The planner cuts no partitions away by a list that comes from a subquery, only by one value at a time.
    [
      'inbox by wallet and a list of its merchants',
      'wallet_id = $1 and merchant_id = any(array(select merchant_id from connections where wallet_id = $1)) order by created_at desc, request_id desc limit 20',
      [walletId],
    ],
    ['inbox, one merchant of the wallet after the other', BY_CONNECTION, [walletId]],
  ];
  for (const [name, condition, values] of questions) {
    const pages = await Promise.all(
      ['payment_requests', 'parted'].map((table) => pagesTouched(sql, statementOf(table, condition), values)),
    );
    const how = `pages touched; ${PARTITIONS} hash partitions with ${ROWS.toLocaleString('en')} rows`;
    note(`${name}`, `${pages[0]} in one table, ${pages[1]} in partitions`, how);
  }
  await sql`drop table parted`;
}

function statementOf(table: string, condition: string): string {
  if (condition !== BY_CONNECTION) return `select * from ${table} where ${condition}`;
  return `select r.* from connections c cross join lateral (
      select * from ${table} r where r.merchant_id = c.merchant_id and r.wallet_id = c.wallet_id
      order by r.created_at desc, r.request_id desc limit 20
    ) r where c.wallet_id = $1 order by r.created_at desc, r.request_id desc limit 20`;
}

/** Unlike time, the same however busy the machine is. */
async function pagesTouched(sql: Database, statement: string, values: readonly string[]): Promise<number> {
  const [row] = await sql.unsafe<
    { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }[]
  >(`explain (analyze, buffers, timing off, format json) ${statement}`, [...values] as never[]);
  const plan = row?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}
