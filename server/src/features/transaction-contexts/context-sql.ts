import type { Sql, Tx } from '../../db/open.ts';

export interface ContextRow {
  connection_id: string;
  transaction_id: string;
  revision: number;
  /** JSON text, as sent. */
  content: string;
  created_at: Date;
}

/** The newest revision, or the one that a request has pinned. */
export async function findContext(
  sql: Sql,
  connectionId: string,
  transactionId: string,
  revision?: number,
): Promise<ContextRow | undefined> {
  const [row] = await sql<ContextRow[]>`
    select connection_id, transaction_id, revision, content::text, created_at from transaction_contexts
    where connection_id = ${connectionId} and transaction_id = ${transactionId}
      and revision = coalesce(${revision ?? null}::int, revision)
    order by revision desc limit 1`;
  return row;
}

/** The wallet's connections that have such a context; more than one when two agents chose the same id. */
export async function findContextConnections(
  sql: Sql,
  walletId: string,
  transactionId: string,
  connectionId: string | null,
): Promise<string[]> {
  const own = await sql<{ connection_id: string }[]>`
    select c.connection_id from connections c
    where c.wallet_id = ${walletId} and c.connection_id = coalesce(${connectionId}::id, c.connection_id)`;
  const rows = await sql<{ connection_id: string }[]>`
    select distinct x.connection_id from transaction_contexts x
    where x.connection_id = any(${own.map((row) => row.connection_id)}::id[]) and x.transaction_id = ${transactionId}
    limit 2`;
  return rows.map((row) => row.connection_id);
}

/** Serializes appends to the same context, so that revisions are 1, 2, 3 … under concurrent writes. */
export async function lockContext(tx: Tx, connectionId: string, transactionId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`context ${connectionId} ${transactionId}`}, 0))`;
}

/** Undefined when the connection is not active any more; its row is locked against pause and revocation. */
export async function insertContext(
  tx: Tx,
  merchantId: string,
  context: Omit<ContextRow, 'revision'>,
): Promise<ContextRow | undefined> {
  const { connection_id, transaction_id, content, created_at } = context;
  const [held] = await tx`
    select from connections
    where connection_id = ${connection_id} and merchant_id = ${merchantId} and status = 'active' for key share`;
  if (!held) return undefined;
  const [last] = await tx<[{ revision: number }]>`
    select coalesce(max(revision), 0) as revision from transaction_contexts
    where merchant_id = ${merchantId} and connection_id = ${connection_id} and transaction_id = ${transaction_id}`;
  const [row] = await tx<ContextRow[]>`
    insert into transaction_contexts (merchant_id, connection_id, transaction_id, revision, content, created_at)
    values (${merchantId}, ${connection_id}, ${transaction_id}, ${last.revision + 1}, ${content}::text::json, ${created_at})
    returning connection_id, transaction_id, revision, content::text, created_at`;
  return row;
}

/** The only addresses a context may contain: those of the organization's payees. */
export async function listOwnAddresses(sql: Sql, merchantId: string): Promise<string[]> {
  const rows = await sql<{ address: string; issuer: string | null; contract: string | null }[]>`
    select address, issuer, contract from recipient_versions
    where merchant_id = ${merchantId} and status = 'active'`;
  return rows.flatMap((row) => [row.address, row.issuer, row.contract]).filter((text) => text !== null);
}
