import type { DecisionAlgorithm, DecisionKey } from '@payassent/protocol/evidence';
import type { Sql, Tx } from '../../db/open.ts';

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

/** The keys that the devices of a wallet sign with now. */
export async function listCurrentKeys(sql: Sql, walletId: string): Promise<DecisionKeyRow[]> {
  return sql<DecisionKeyRow[]>`
    select * from decision_keys where wallet_id = ${walletId} and ended_at is null order by decision_key_id`;
}

export async function findCurrentKey(sql: Sql, deviceId: string): Promise<DecisionKeyRow | undefined> {
  const [row] = await sql<DecisionKeyRow[]>`
    select * from decision_keys where device_id = ${deviceId} and ended_at is null`;
  return row;
}

/** A key that something was signed with, ended or not. */
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
