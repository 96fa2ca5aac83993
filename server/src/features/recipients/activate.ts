import { canMove, type Network } from '@countersign/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { queueOperatorMail } from '../merchant-accounts/mail-queue.ts';
import { readMerchant } from '../merchants/merchant.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { refuseArchived } from './add-version.ts';
import type { RecipientAndVersion } from './create.ts';
import type { ActivateInput } from './schema.ts';
import { lockRecipient, updateRecipient } from './sql.ts';
import { impossibleMove } from './verify.ts';
import { markActive, selectEvidence, selectVersion, supersedeActive } from './version-sql.ts';
import { type EvidenceRow, recipientView, type VersionRow, versionView } from './view.ts';

/**
 * The one door through which money gets a new destination: evidence by id and digest, the version the operator saw, an
 * enabled network. The former active version is superseded in the same transaction, so that there is always exactly one.
 */
export async function activateVersion(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  place: { recipientId: string; versionId: string; enabledNetworks: readonly Network[] },
  input: ActivateInput,
): Promise<RecipientAndVersion> {
  const { merchantId } = principal;
  const before = await lockRecipient(tx, merchantId, place.recipientId);
  const chosen = before && (await selectVersion(tx, merchantId, place.recipientId, place.versionId));
  const evidence = chosen && (await selectEvidence(tx, merchantId, input.evidence_id));
  if (!evidence) throw notFound();
  if (before.version !== input.version) throw versionConflict(before.version);
  refuseArchived(before);
  refuseEvidence(evidence, chosen, input.evidence_digest, act.now);
  if (!place.enabledNetworks.includes(chosen.network)) throw networkNotEnabled(chosen, place.enabledNetworks);
  if (!canMove('recipient_version', chosen.status, 'active', 'merchant'))
    throw impossibleMove(chosen, 'active');

  const former = await supersedeActive(tx, merchantId, place.recipientId);
  const version = await markActive(tx, merchantId, place.versionId, evidence.evidence_id, act.now);
  if (!version) throw new Error('A version changed although its Recipient is locked.');
  const recipient = await updateRecipient(
    tx,
    merchantId,
    place.recipientId,
    { ...before, status: 'active', active_version_id: place.versionId },
    act.now,
  );
  const activated = { recipient, version };
  await announceActivation(tx, act, principal, activated, evidence, former);
  return activated;
}

function refuseEvidence(evidence: EvidenceRow, version: VersionRow, digest: string, now: Date): void {
  if (evidence.recipient_version_id !== version.recipient_version_id || evidence.evidence_digest !== digest)
    throw new AppError('evidence_mismatch');
  if (evidence.expires_at < now)
    throw new AppError('evidence_expired', { details: { expires_at: evidence.expires_at.toISOString() } });
}

function networkNotEnabled(version: VersionRow, enabled: readonly Network[]): AppError {
  return new AppError('network_not_enabled', {
    message: `This service does not accept payments on ${version.network}.`,
    details: { network: version.network, enabled_networks: enabled },
  });
}

/** On record, to the merchant's endpoints, and to every operator's mailbox: a change of payee is never silent. */
async function announceActivation(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { recipient, version }: RecipientAndVersion,
  evidence: EvidenceRow,
  former: VersionRow | undefined,
): Promise<void> {
  const { merchantId } = principal;
  await recordAudit(tx, act, {
    merchantId,
    type: 'recipient.version_activated',
    actor: auditActor(principal),
    target: { type: 'recipient', id: recipient.recipient_id },
    details: {
      recipient_version_id: version.recipient_version_id,
      superseded_version_id: former?.recipient_version_id ?? null,
      evidence_id: evidence.evidence_id,
      evidence_digest: evidence.evidence_digest,
      network: version.network,
      asset: version.asset,
      address: version.address,
    },
  });
  await queueWebhook(tx, act, {
    merchantId,
    type: 'recipient.version_activated',
    data: { recipient: recipientView(recipient), recipient_version: versionView(version) },
  });
  await queueOperatorMail(tx, act, {
    merchantId,
    kind: 'payee_activated',
    payload: {
      merchant_name: (await readMerchant(tx, merchantId)).name,
      payee_name: version.name,
      network: version.network,
      asset: version.asset,
      address: version.address,
      memo: version.memo,
      domain: evidence.domain,
      recipient_id: recipient.recipient_id,
      recipient_version_id: version.recipient_version_id,
    },
  });
}
