import type { Sql, Tx } from '../../db/open.ts';
import type { MerchantRow } from './rows.ts';

export async function findMerchant(sql: Sql, merchantId: string): Promise<MerchantRow | undefined> {
  const rows = await sql<MerchantRow[]>`select * from merchants where merchant_id = ${merchantId}`;
  return rows[0];
}

export async function insertMerchant(
  tx: Tx,
  merchantId: string,
  name: string,
  now: Date,
): Promise<MerchantRow | undefined> {
  const rows = await tx<MerchantRow[]>`
    insert into merchants (merchant_id, name, status, created_at, updated_at)
    values (${merchantId}, ${name}, 'pending', ${now}, ${now})
    returning *`;
  return rows[0];
}

export async function renameMerchant(
  tx: Tx,
  merchantId: string,
  change: { name: string; version: number },
  now: Date,
): Promise<MerchantRow | undefined> {
  const rows = await tx<MerchantRow[]>`
    update merchants set name = ${change.name}, version = version + 1, updated_at = ${now}
    where merchant_id = ${merchantId} and version = ${change.version}::numeric
    returning *`;
  return rows[0];
}

/** Once: whoever comes second finds it active and changes nothing. */
export async function activatePendingMerchant(
  tx: Tx,
  merchantId: string,
  now: Date,
): Promise<MerchantRow | undefined> {
  const rows = await tx<MerchantRow[]>`
    update merchants set status = 'active', version = version + 1, updated_at = ${now}
    where merchant_id = ${merchantId} and status = 'pending'
    returning *`;
  return rows[0];
}
