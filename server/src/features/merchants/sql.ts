import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { MerchantRow } from './view.ts';

export async function findMerchant(sql: Sql, merchantId: string): Promise<MerchantRow | undefined> {
  const rows = await sql<MerchantRow[]>`select * from merchants where merchant_id = ${merchantId}`;
  return rows[0];
}

export async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRow | undefined> {
  const rows = await tx<MerchantRow[]>`select * from merchants where merchant_id = ${merchantId} for update`;
  return rows[0];
}

/** The caller holds the row. */
export async function changeMerchant(
  tx: Tx,
  merchantId: string,
  change: Pick<MerchantRow, 'name' | 'require_payee_binding' | 'four_eyes'>,
  now: Date,
): Promise<MerchantRow | undefined> {
  const rows = await tx<MerchantRow[]>`
    update merchants
    set name = ${change.name}, require_payee_binding = ${change.require_payee_binding},
        four_eyes = ${change.four_eyes}, version = version + 1,
        updated_at = ${now}
    where merchant_id = ${merchantId}
    returning *`;
  return rows[0];
}

/** Once: nothing comes back when it is required already. */
export async function requireBinding(tx: Tx, merchantId: string, now: Date) {
  const rows = await tx<MerchantRow[]>`
    update merchants set require_payee_binding = true, version = version + 1, updated_at = ${now}
    where merchant_id = ${merchantId} and not require_payee_binding
    returning *`;
  return rows[0];
}

/** Once: a second call finds it active and changes nothing. */
export async function activatePendingMerchant(tx: Tx, merchantId: string, now: Date) {
  const rows = await tx<MerchantRow[]>`
    update merchants set status = 'active', version = version + 1, updated_at = ${now}
    where merchant_id = ${merchantId} and ${mayBecome(tx, 'merchant', 'active', 'merchant')}
    returning *`;
  return rows[0];
}
