import type { DerivedFacts } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { nameDigest } from './name-digest.ts';
import { insertRecipient, rememberName } from './sql.ts';
import { insertVersion } from './version-sql.ts';
import type { RecipientRow, VersionRow } from './view.ts';

export interface RecipientAndVersion {
  recipient: RecipientRow;
  version: VersionRow;
}

/** A Recipient begins as a draft with its first version; money can go there only after evidence and activation. */
export async function createRecipient(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  payee: DerivedFacts & { name: string },
): Promise<RecipientAndVersion> {
  const { merchantId } = principal;
  const recipientId = act.newId('rcp');
  const recipient = await insertRecipient(tx, merchantId, { recipientId, name: payee.name }, act.now);
  await rememberName(tx, merchantId, recipientId, nameDigest(payee.name), act.now);
  const place = { recipientId, versionId: act.newId('rcv'), number: 1 };
  const version = await insertVersion(tx, merchantId, place, payee, act.now);
  await recordAudit(tx, act, {
    merchantId,
    type: 'recipient.created',
    actor: auditActor(principal),
    target: { type: 'recipient', id: recipientId },
    details: {
      name: recipient.name,
      recipient_version_id: version.recipient_version_id,
      network: version.network,
      asset: version.asset,
      address: version.address,
    },
  });
  return { recipient, version };
}
