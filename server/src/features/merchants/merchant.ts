import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { AppError, notFound, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { mailName, queueAccessMail } from '../notices/queue.ts';
import { countOwners } from '../owners/owners.ts';
import type { MerchantRow } from './view.ts';

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
  const [row] = await tx<MerchantRow[]>`
    insert into merchants (merchant_id, name, status, created_at, updated_at)
    values (${act.newId('mer')}, ${input.name}, 'pending', ${act.now}, ${act.now})
    returning *`;
  if (!row) throw new Error('the insert of a merchant returned nothing');
  await audit(
    tx,
    act,
    { kind: 'operator', id: creator.accountId },
    row.merchant_id,
    'merchant.created',
    row.merchant_id,
    { name: row.name },
  );
  return row;
}

interface MerchantChange {
  name?: string;
  require_payee_binding?: boolean;
  four_eyes?: boolean;
  version: number;
}

/**
 * Access to a team member's mailbox is enough for this. So the requirement that the domain names every payee can be set
 * here, and never unset.
 */
export async function updateMerchant(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: MerchantChange,
): Promise<MerchantRow> {
  const before = await lockMerchant(tx, principal.merchantId);
  if (!before) throw notFound();
  if (before.version !== input.version) throw versionConflict(before.version);
  if (before.require_payee_binding && input.require_payee_binding === false) throw bindingStays();
  if (input.four_eyes && (await countOwners(tx, principal.merchantId)) < 2)
    throw new AppError('last_owner', {
      message:
        'Two active owners are needed, so that one can request and the other decide. Addresses that differ only by case, dots or a +tag are one person.',
    });
  const row = await changeMerchant(
    tx,
    principal.merchantId,
    {
      name: input.name ?? before.name,
      require_payee_binding: input.require_payee_binding ?? before.require_payee_binding,
      four_eyes: input.four_eyes ?? before.four_eyes,
    },
    act.now,
  );
  if (!row) throw new Error('The locked row of a merchant changed.');
  if (input.name !== undefined) {
    await audit(tx, act, principal, row.merchant_id, 'merchant.updated', row.merchant_id, { name: row.name });
  }
  if (row.require_payee_binding && !before.require_payee_binding)
    await auditBinding(tx, act, principal, 'merchant.updated');
  if (row.four_eyes !== before.four_eyes) await announceFourEyes(tx, act, principal, row);
  return row;
}

async function announceFourEyes(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { merchant_id: merchantId, name, four_eyes }: MerchantRow,
): Promise<void> {
  await audit(
    tx,
    act,
    principal,
    merchantId,
    four_eyes ? 'merchant.four_eyes_on' : 'merchant.four_eyes_off',
    merchantId,
  );
  await queueAccessMail(tx, act, merchantId, {
    merchant_name: name,
    change: four_eyes ? 'four_eyes_on' : 'four_eyes_off',
    facts: [['Organization', mailName(name)]],
  });
}

function bindingStays(): AppError {
  return new AppError('invalid_status_transition', {
    message: 'The domain must name every payee of this organization. Once required, this stays required.',
    field: 'require_payee_binding',
    details: { from: 'required', to: 'optional', allowed: [] },
  });
}

/** Once a payee is named by its domain, all later ones have to be named too. */
export async function requirePayeeBinding(tx: Tx, act: Act, principal: MerchantPrincipal): Promise<void> {
  if (await requireBinding(tx, principal.merchantId, act.now))
    await auditBinding(tx, act, principal, 'recipient.version_activated');
}

async function auditBinding(tx: Tx, act: Act, principal: MerchantPrincipal, because: string): Promise<void> {
  await audit(
    tx,
    act,
    principal,
    principal.merchantId,
    'merchant.payee_binding_required',
    principal.merchantId,
    { because },
  );
}

async function findMerchant(sql: Sql, merchantId: string): Promise<MerchantRow | undefined> {
  const rows = await sql<MerchantRow[]>`select * from merchants where merchant_id = ${merchantId}`;
  return rows[0];
}

async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRow | undefined> {
  const rows = await tx<MerchantRow[]>`select * from merchants where merchant_id = ${merchantId} for update`;
  return rows[0];
}

/** The caller has locked the row. */
async function changeMerchant(
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

/** Once: returns nothing when it is already required. */
async function requireBinding(tx: Tx, merchantId: string, now: Date) {
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
