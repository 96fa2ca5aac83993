import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { notFound, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import type { MerchantRow } from './rows.ts';
import { findMerchant, insertMerchant, renameMerchant } from './sql.ts';

export async function readMerchant(sql: Sql, merchantId: string): Promise<MerchantRow> {
  const row = await findMerchant(sql, merchantId);
  if (!row) throw notFound();
  return row;
}

/** A new organization is pending; only a domain proof makes it active. */
export async function createMerchant(
  tx: Tx,
  act: Act,
  creator: { accountId: string },
  input: { name: string },
): Promise<MerchantRow> {
  const row = await insertMerchant(tx, act.newId('mer'), input.name, act.now);
  if (!row) throw new Error('the insert of a merchant returned nothing');
  await recordAudit(tx, act, {
    merchantId: row.merchant_id,
    type: 'merchant.created',
    actor: { kind: 'operator', id: creator.accountId },
    target: { type: 'merchant', id: row.merchant_id },
    details: { name: row.name },
  });
  return row;
}

export async function updateMerchant(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: { name: string; version: number },
): Promise<MerchantRow> {
  const row = await renameMerchant(tx, principal.merchantId, input, act.now);
  if (!row) throw versionConflict((await readMerchant(tx, principal.merchantId)).version);
  await recordAudit(tx, act, {
    merchantId: row.merchant_id,
    type: 'merchant.updated',
    actor: auditActor(principal),
    target: { type: 'merchant', id: row.merchant_id },
    details: { name: row.name },
  });
  return row;
}
