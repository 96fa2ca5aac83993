import type { Issue } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound, refuseWhenInvalid, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import type { Recall } from '../../payments/index.ts';
import { type AuditEntry, auditActor, recordAudit } from '../audit/record.ts';
import { foreignAddresses } from '../merchants/misleading-text.ts';
import { logPayees } from '../transparency-log/append.ts';
import { refuseArchived } from './add-version.ts';
import { nameDigest } from './name-digest.ts';
import { recallPending } from './recall.ts';
import type { RecipientChange } from './schema.ts';
import { lockRecipient, rememberName, updateRecipient } from './sql.ts';
import { retireActive, selectNewestVersion } from './version-sql.ts';
import { loggedPayee, type RecipientRow } from './view.ts';

/** Changes the merchant's label, or puts the Recipient away. The names inside versions stay what they were. */
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
  // A body with faults may carry anything as its name.
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
