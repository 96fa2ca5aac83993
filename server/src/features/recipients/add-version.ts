import type { DerivedFacts } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, refuseWhenInvalid, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { FIXED_CAPS } from '../../limits.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { misleadingText } from '../merchants/misleading-text.ts';
import type { RecipientAndVersion } from './create.ts';
import { lockRecipient, updateRecipient } from './sql.ts';
import { insertVersion, selectNewestVersion } from './version-sql.ts';
import type { RecipientRow } from './view.ts';

/** One read shows them all, so there is an end to them. */
const MAX_VERSIONS = FIXED_CAPS.versions.count;

/** New facts are a new version; whatever is active stays so until the new one is activated. */
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
  // The label goes into the version as its name, where it must not show another address than the new one.
  refuseWhenInvalid(misleadingText(before.name, 'name', facts));
  const number = ((await selectNewestVersion(tx, merchantId, recipientId))?.number ?? 0) + 1;
  if (number > MAX_VERSIONS) throw new AppError('limit_reached');
  const place = { recipientId, versionId: act.newId('rcv'), number };
  const version = await insertVersion(tx, merchantId, place, { ...facts, name: before.name }, act.now);
  const recipient = await updateRecipient(tx, merchantId, recipientId, before, act.now);
  await recordAudit(tx, act, {
    merchantId,
    type: 'recipient.version_created',
    actor: auditActor(principal),
    target: { type: 'recipient', id: recipientId },
    details: {
      recipient_version_id: version.recipient_version_id,
      number,
      network: version.network,
      asset: version.asset,
      address: version.address,
    },
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
