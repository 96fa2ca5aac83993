import { exactJson } from '@payassent/protocol';
import { compiled } from '../../db/compiled.ts';
import { layoutOf } from '../../db/layout.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { fromTextList } from '../../db/text-list.ts';
import type { QueuedEntry } from '../../features/transparency-log/entry-text.ts';
import { type RightsRow, rightsQuery } from '../../payments/permissions/authorize-sql.ts';
import type { Statements } from '../statements.ts';
import { closePending, insertRequests, moveRequests } from './requests.ts';
import { findFullEndpoints, queueMessages, recordAttempts, walkDueEndpoints } from './webhooks.ts';

const rights = compiled<Omit<RightsRow, 'version'>, { tokens: string }>((sql, { tokens }) =>
  rightsQuery(sql, tokens, sql`null`, sql``),
);

/** The version first: the coordinator commits before the node, so a new version is never read with old rights. */
async function callerRights(sql: Sql, tokens: string): Promise<RightsRow[]> {
  const rows = await sql<{ merchant_id: string }[]>`
    select distinct t.merchant_id from connection_tokens t
    where t.token_hash in (select i.hash from rows from (${fromTextList(sql, tokens)}) as i(hash))`;
  const versions = new Map<string, string>();
  await layoutOf(sql).across(
    sql,
    async () => rows.map((row) => row.merchant_id),
    async (_node, merchantId = '') => {
      const [permission] = await sql<{ version: string }[]>`
        select version from merchant_standings where merchant_id = ${merchantId}`;
      if (permission) versions.set(merchantId, permission.version);
    },
  );
  const found = await rights(sql, { tokens });
  return found.flatMap((row) => {
    const version = versions.get(row.merchant_id);
    return version === undefined ? [] : [{ ...row, version }];
  });
}

/** Decisions are logged on the node where they are made. */
async function takeOutbox(tx: Tx, limit: number): Promise<number> {
  const found = await tx<{ merchant_id: string; entry_id: string }[]>`
    select merchant_id, entry_id from log_outbox order by at, entry_id limit ${limit}`;
  if (found.length === 0) return 0;
  const rows = await tx`
    delete from log_outbox
    where merchant_id = any(${found.map((row) => row.merchant_id)}::id[])
      and entry_id = any(${found.map((row) => row.entry_id)}::text[])
    returning type, at, subject, content, encode(salt, 'hex') as salt, entry_id`;
  await tx`
    insert into log_queue (type, at, subject, content, salt)
    select type, at, subject, content::json, decode(salt, 'hex')
    from json_to_recordset(${exactJson(rows)}::text::json)
      as o(type text, at timestamptz, subject text, content text, salt text, entry_id text)
    order by at, entry_id`;
  return rows.length;
}

export const statements: Statements = {
  insertRequests,
  moveRequests,
  closePending,
  callerRights,
  // Queried before the rows, so that a move in between shows next time.
  async placements(sql) {
    const [row] = await sql<{ placements: string }[]>`
      select md5(string_agg(p.shardid || ':' || p.groupid, ' ' order by p.shardid, p.groupid)) as placements
      from pg_dist_placement p join pg_dist_shard s using (shardid)
      where s.logicalrelid = 'pending_requests'::regclass`;
    return `${row?.placements ?? ''}/`;
  },
  queueMessages,
  recordAttempts,
  walkDueEndpoints,
  findFullEndpoints,
  oldestDelivery: (db: Database) => db`
    select min(run_at) as oldest from webhook_deliveries where status = 'pending'`,
  backlog: (sql, networks, now) => ({
    deliveries: sql`webhook_deliveries d where d.status = 'pending' order by d.run_at`,
    firstLook: sql`(
      select min(look_at) from observations where network = any(${[...networks]}::text[]) and look_at <= ${now})`,
  }),
  outbox: {
    has: async (sql) => (await sql`select entry_id from log_outbox limit 1`).length > 0,
    take: takeOutbox,
    find: (sql, subjects) => sql<QueuedEntry[]>`
      select type, at, subject, content, salt from log_outbox
      where subject = any(${[...subjects]}::text[]) order by at, entry_id`,
    waiting: (sql, limit) => sql`select at from log_outbox order by at limit ${limit}`,
  },
};
