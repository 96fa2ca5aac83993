import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { RecipientRow } from './view.ts';

export async function selectRecipient(db: Sql, merchantId: string, recipientId: string) {
  const rows = await db<RecipientRow[]>`
    select * from recipients where recipient_id = ${recipientId} and merchant_id = ${merchantId}`;
  return rows[0];
}

/** Every change of a payee or of one of its versions takes this lock first. */
export async function lockRecipient(tx: Tx, merchantId: string, recipientId: string) {
  const rows = await tx<RecipientRow[]>`
    select * from recipients where recipient_id = ${recipientId} and merchant_id = ${merchantId} for update`;
  return rows[0];
}

export async function updateRecipient(
  tx: Tx,
  merchantId: string,
  recipientId: string,
  change: Pick<RecipientRow, 'name' | 'status' | 'active_version_id'>,
  now: Date,
): Promise<RecipientRow> {
  const rows = await tx<RecipientRow[]>`
    update recipients
    set name = ${change.name}, status = ${change.status}, active_version_id = ${change.active_version_id},
        version = version + 1, updated_at = ${now}
    where recipient_id = ${recipientId} and merchant_id = ${merchantId} and status <> 'archived'
      and ${mayBecome(tx, 'recipient', change.status, 'merchant', { orIs: true })}
    returning *`;
  const [row] = rows;
  if (!row) throw new Error('The locked row of a Recipient changed.');
  return row;
}

export function listRecipients(db: Sql, merchantId: string, page: PageRead): Promise<RecipientRow[]> {
  return db<RecipientRow[]>`
    select * from recipients where merchant_id = ${merchantId}
    ${newestFirst(db, page, 'recipient_id')}`;
}

/** Records that the payee has this name, now or in its past. */
export async function rememberName(
  tx: Tx,
  merchantId: string,
  recipientId: string,
  digest: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into payee_names (merchant_id, name_digest, recipient_id, since)
    values (${merchantId}, ${digest}, ${recipientId}, ${now}) on conflict do nothing`;
}

/** Whether another payee of the merchant had this name before. */
export async function isNameTaken(sql: Sql, merchantId: string, recipientId: string, digest: string) {
  const rows = await sql`
    select from payee_names n
      left join payee_names own on own.merchant_id = n.merchant_id and own.name_digest = n.name_digest
        and own.recipient_id = ${recipientId}
    where n.merchant_id = ${merchantId} and n.name_digest = ${digest} and n.recipient_id <> ${recipientId}
      and (own.since is null or (n.since, n.recipient_id) < (own.since, own.recipient_id))
    limit 1`;
  return rows.length > 0;
}
