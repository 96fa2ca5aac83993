import { createHash } from 'node:crypto';
import { type DerivedFacts, foldCase, type Issue } from '@payassent/protocol';
import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, limitReached, notFound, refuseWhenInvalid, versionConflict } from '../../errors.ts';
import { FIXED_CAPS } from '../../limits.ts';
import type { Recall } from '../../payments/index.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { type AuditEntry, audit, auditActor, recordAudit } from '../audit/record.ts';
import { foreignAddresses, misleadingText } from '../merchants/misleading-text.ts';
import { logPayees } from '../transparency-log/append.ts';
import { recallPending } from './recall.ts';
import { lockRecipient, rememberName, updateRecipient } from './sql.ts';
import { insertVersion, retireActive, selectNewestVersion } from './version-sql.ts';
import { loggedPayee, type RecipientRow, type VersionRow } from './view.ts';

export interface RecipientAndVersion {
  recipient: RecipientRow;
  version: VersionRow;
}

/** A payee begins as a draft with its first version; money can go there only after evidence and activation. */
export async function createRecipient(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  payee: DerivedFacts & { name: string },
): Promise<RecipientAndVersion> {
  const { merchantId } = principal;
  const recipientId = act.newId('rcp');
  const [recipient] = await tx<[RecipientRow]>`
    insert into recipients (recipient_id, merchant_id, name, status, created_at, updated_at)
    values (${recipientId}, ${merchantId}, ${payee.name}, 'draft', ${act.now}, ${act.now})
    returning *`;
  await rememberName(tx, merchantId, recipientId, nameDigest(payee.name), act.now);
  const place = { recipientId, versionId: act.newId('rcv'), number: 1 };
  const version = await insertVersion(tx, merchantId, place, payee, act.now);
  await audit(tx, act, principal, merchantId, 'recipient.created', recipientId, {
    name: recipient.name,
    recipient_version_id: version.recipient_version_id,
    network: version.network,
    asset: version.asset,
    address: version.address,
  });
  return { recipient, version };
}

/** Changes the merchant's label, or archives the payee. The names inside versions never change. */
export async function changeRecipient(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  recipientId: string,
  input: RecipientChange,
  found: readonly Issue[],
): Promise<{ recipient: RecipientRow; recall?: Recall }> {
  const { merchantId } = principal;
  const before = await lockRecipient(tx, merchantId, recipientId);
  const newest = before && (await selectNewestVersion(tx, merchantId, recipientId));
  // An invalid body may have any value as its name.
  const name = typeof input.name === 'string' ? input.name : undefined;
  refuseWhenInvalid([...found, ...(before ? foreignAddresses(name, 'name', newest ?? {}) : [])]);
  if (!before) throw notFound();
  if (before.version !== input.version) throw versionConflict(before.version);
  refuseArchived(before);
  const after = await updateRecipient(
    tx,
    merchantId,
    recipientId,
    { ...before, name: input.name ?? before.name, status: input.status ?? before.status },
    act.now,
  );
  if (input.name !== undefined)
    await rememberName(tx, merchantId, recipientId, nameDigest(input.name), act.now);
  if (input.status === 'archived') {
    const retired = await retireActive(tx, merchantId, recipientId, act.now);
    await logPayees(tx, act, 'payee.archived', retired.map(loggedPayee));
  }
  const entry = (type: AuditEntry['type'], details: Record<string, unknown>): AuditEntry => ({
    merchantId,
    type,
    actor: auditActor(principal),
    target: { type: 'recipient', id: recipientId },
    details,
  });
  const entries: AuditEntry[] = [];
  if (input.name !== undefined)
    entries.push(entry('recipient.updated', { name: { from: before.name, to: after.name } }));
  if (input.status !== undefined) entries.push(entry('recipient.archived', { from: before.status }));
  await recordAudit(tx, act, ...entries);
  if (input.status !== 'archived' || input.pending !== 'reject') return { recipient: after };
  const { recall } = await recallPending(tx, act, principal, recipientId, 'archived');
  return { recipient: after, recall };
}

/** One read returns them all, so they are capped. */
const MAX_VERSIONS = FIXED_CAPS.versions.count;

/** New details are a new version; the active one stays so until the new one is activated. */
export async function addVersion(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  recipientId: string,
  expectedVersion: number,
  facts: DerivedFacts,
): Promise<RecipientAndVersion> {
  const { merchantId } = principal;
  const before = await lockRecipient(tx, merchantId, recipientId);
  if (!before) throw notFound();
  if (before.version !== expectedVersion) throw versionConflict(before.version);
  refuseArchived(before);
  // The label becomes the version's name, where it must not show an address other than the new one.
  refuseWhenInvalid(misleadingText(before.name, 'name', facts));
  const number = ((await selectNewestVersion(tx, merchantId, recipientId))?.number ?? 0) + 1;
  if (number > MAX_VERSIONS)
    throw limitReached(`A payee has at most ${MAX_VERSIONS} versions: create another payee.`, MAX_VERSIONS);
  const place = { recipientId, versionId: act.newId('rcv'), number };
  const version = await insertVersion(tx, merchantId, place, { ...facts, name: before.name }, act.now);
  const recipient = await updateRecipient(tx, merchantId, recipientId, before, act.now);
  await audit(tx, act, principal, merchantId, 'recipient.version_created', recipientId, {
    recipient_version_id: version.recipient_version_id,
    number,
    network: version.network,
    asset: version.asset,
    address: version.address,
  });
  return { recipient, version };
}

/** Archived is final: nothing about it changes any more. */
export function refuseArchived(recipient: RecipientRow): void {
  if (recipient.status === 'archived') {
    throw new AppError('recipient_not_active', {
      message: 'The Recipient is archived for good. Create a new one.',
    });
  }
}

/** Names that people confuse have the same digest: of fixed length, so that it can be indexed. */
export function nameDigest(name: string): string {
  const plain = name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
  const folded = foldCase(plain).normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return createHash('sha256').update(folded).digest('hex');
}

export type RecipientInput = BodyOf<typeof api.createRecipient>;

export type RecipientChange = BodyOf<typeof api.updateRecipient>;

export type VerifyInput = BodyOf<typeof api.verifyRecipientVersion>;

export type ActivateInput = BodyOf<typeof api.activateRecipientVersion>;
