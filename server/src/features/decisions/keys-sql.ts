import type { DecisionAlgorithm, DecisionKey } from '@payassent/protocol/evidence';
import type { Database, Sql, Tx } from '../../db/open.ts';

export interface DecisionKeyRow {
  decision_key_id: number;
  device_id: string;
  wallet_id: string;
  alg: DecisionAlgorithm;
  thumbprint: string;
  key: DecisionKey;
  endorsed_by: string | null;
  created_at: Date;
}

/** The current signing keys of a wallet's devices. */
export async function listCurrentKeys(sql: Sql, walletId: string): Promise<DecisionKeyRow[]> {
  return sql<DecisionKeyRow[]>`
    select * from decision_keys where wallet_id = ${walletId} and ended_at is null order by decision_key_id`;
}

export async function findCurrentKey(sql: Sql, deviceId: string): Promise<DecisionKeyRow | undefined> {
  const [row] = await sql<DecisionKeyRow[]>`
    select * from decision_keys where device_id = ${deviceId} and ended_at is null`;
  return row;
}

/** A key of an existing signature, ended or not. */
export async function findKeyByThumbprint(
  sql: Sql,
  deviceId: string,
  thumbprint: string,
): Promise<DecisionKeyRow | undefined> {
  const [row] = await sql<DecisionKeyRow[]>`
    select * from decision_keys where device_id = ${deviceId} and thumbprint = ${thumbprint}
    order by decision_key_id limit 1`;
  return row;
}

export async function insertKey(
  tx: Tx,
  row: Omit<DecisionKeyRow, 'decision_key_id'>,
): Promise<DecisionKeyRow> {
  const rows = await tx<[DecisionKeyRow]>`
    insert into decision_keys ${tx({ ...row, key: tx.json(row.key as never) })} returning *`;
  return rows[0];
}

export async function endKeysOf(tx: Tx, deviceId: string, now: Date): Promise<void> {
  await tx`update decision_keys set ended_at = ${now} where device_id = ${deviceId} and ended_at is null`;
}

/** False when the count is not above the stored one, unless it is the same assertion again. */
export async function raiseCounter(
  sql: Sql,
  { walletId, thumbprint }: { walletId: string; thumbprint: string },
  counter: number,
  assertion: Uint8Array,
): Promise<boolean> {
  const rows = await sql`
    insert into passkey_counters as c (wallet_id, thumbprint, counter, assertion)
    values (${walletId}, ${thumbprint}, ${counter}, ${assertion})
    on conflict (wallet_id, thumbprint) do update set counter = excluded.counter, assertion = excluded.assertion
    where c.counter < excluded.counter or (c.counter = excluded.counter and c.assertion = excluded.assertion)
    returning counter`;
  return rows.length > 0;
}

/** False when it was used before. */
export async function useAuthorization(tx: Tx, digest: Uint8Array, signedAt: Date): Promise<boolean> {
  const rows = await tx`
    insert into used_authorizations (digest, signed_at) values (${digest}, ${signedAt})
    on conflict do nothing returning digest`;
  return rows.length > 0;
}

export async function purgeAuthorizations(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from used_authorizations where digest in (
      select digest from used_authorizations where signed_at < ${before} limit ${limit})`;
  return result.count;
}
