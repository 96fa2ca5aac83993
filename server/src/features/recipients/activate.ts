import { canMove, type Network, payeeRecord, payeeRecordName, payeeRecordsUrl } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, versionConflict } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import type { Recall } from '../../payments/index.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { readMerchant, requirePayeeBinding } from '../merchants/merchant.ts';
import { domainProofFailed } from '../merchants/prove-domain.ts';
import { standsBehind } from '../merchants/verified-domain.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { logPayees } from '../transparency-log/append.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { refuseArchived } from './add-version.ts';
import type { RecipientAndVersion } from './create.ts';
import { guardChange } from './guard-change.ts';
import { recallPending } from './recall.ts';
import type { ActivateInput } from './schema.ts';
import { lockRecipient, updateRecipient } from './sql.ts';
import { impossibleMove } from './verify.ts';
import { markActive, selectEvidence, selectVersion, supersedeOthers } from './version-sql.ts';
import { type EvidenceRow, loggedPayee, recipientView, type VersionRow, versionView } from './view.ts';

export interface ActivationPlace {
  recipientId: string;
  versionId: string;
  enabledNetworks: readonly Network[];
  /** This service takes only evidence that is bound to its payee. */
  mustBind: boolean;
  /** A mailbox alone does not change where money goes. */
  isGuarded: boolean;
}

/**
 * The one door through which money gets a new destination: evidence by id and digest, a domain that still stands
 * behind it, the version the operator saw, an enabled network. The former active version is superseded in the same
 * transaction, so that there is always exactly one.
 */
export async function activateVersion(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  place: ActivationPlace,
  input: ActivateInput,
): Promise<RecipientAndVersion & { recall?: Recall }> {
  const { merchantId } = principal;
  // The domain is held before the Recipient, as in everything that ends a domain.
  const evidence = await selectEvidence(tx, merchantId, input.evidence_id);
  const isBacked = evidence !== undefined && (await standsBehind(tx, merchantId, evidence));
  const before = await lockRecipient(tx, merchantId, place.recipientId);
  const chosen = before && (await selectVersion(tx, merchantId, place.recipientId, place.versionId));
  if (!evidence || !chosen) throw notFound();
  if (before.version !== input.version) throw versionConflict(before.version);
  refuseArchived(before);
  refuseEvidence(evidence, chosen, input.evidence_digest, act.now);
  if (!isBacked) throw domainNotVerified(evidence);
  const merchant = await readMerchant(tx, merchantId);
  if (evidence.binding !== 'payee' && (place.mustBind || merchant.require_payee_binding))
    throw notBound(evidence, chosen);
  if (!place.enabledNetworks.includes(chosen.network)) throw networkNotEnabled(chosen, place.enabledNetworks);
  const standsAgain = chosen.status === 'active' && chosen.suspended_at !== null;
  if (!standsAgain && !canMove('recipient_version', chosen.status, 'active', 'merchant'))
    throw impossibleMove(chosen, 'active');
  if (place.isGuarded)
    await guardChange(tx, act, principal, { recipient: before, version: chosen, evidence, merchant });

  const former = await supersedeOthers(tx, merchantId, place.recipientId, place.versionId);
  const version = await markActive(tx, merchantId, place.versionId, evidence, act.now);
  if (!version) throw new Error('A version changed although its Recipient is locked.');
  const recipient = await updateRecipient(
    tx,
    merchantId,
    place.recipientId,
    { ...before, status: 'active', active_version_id: place.versionId },
    act.now,
  );
  if (evidence.binding === 'payee') await requirePayeeBinding(tx, act, principal);
  const activated = { recipient, version };
  await announceActivation(tx, act, principal, merchant.name, activated, evidence, former);
  if (input.pending !== 'reject') return activated;
  const { recall } = await recallPending(tx, act, principal, place.recipientId, 'version_activated');
  return { ...activated, recall };
}

function refuseEvidence(evidence: EvidenceRow, version: VersionRow, digest: string, now: Date): void {
  if (evidence.recipient_version_id !== version.recipient_version_id || evidence.evidence_digest !== digest)
    throw new AppError('evidence_mismatch');
  if (evidence.expires_at < now)
    throw new AppError('evidence_expired', { details: { expires_at: evidence.expires_at.toISOString() } });
}

function domainNotVerified(evidence: EvidenceRow): AppError {
  return new AppError('domain_not_verified', {
    message: `${evidence.domain} no longer vouches for this evidence: verify a domain, then create new evidence.`,
    details: { domain_id: evidence.source_id, domain: evidence.domain },
  });
}

/** The evidence was made before the binding was required. */
function notBound(evidence: EvidenceRow, version: VersionRow): AppError {
  const { domain, method } = evidence;
  return domainProofFailed({
    method,
    looked_up:
      method === 'dns' ? { type: 'TXT', name: payeeRecordName(domain) } : { url: payeeRecordsUrl(domain) },
    expected: payeeRecord(version),
    found: null,
    reason: 'not_bound',
    explanation: `When this evidence was made, ${domain} did not name this payee. Publish its record, then verify it again.`,
  });
}

function networkNotEnabled(version: VersionRow, enabled: readonly Network[]): AppError {
  return new AppError('network_not_enabled', {
    message: `This service does not accept payments on ${version.network}.`,
    details: { network: version.network, enabled_networks: enabled },
  });
}

/** On record, in the public log, to the merchant's endpoints and every operator's mailbox: a change of payee is never silent. */
async function announceActivation(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  merchantName: string,
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
      binding: evidence.binding,
      network: version.network,
      asset: version.asset,
      address: version.address,
    },
  });
  await logPayees(tx, act, 'payee.activated', [loggedPayee(evidence)]);
  await queueWebhook(tx, act, {
    merchantId,
    type: 'recipient.version_activated',
    data: { recipient: recipientView(recipient), recipient_version: versionView(version) },
  });
  await queueOperatorMail(tx, act, {
    merchantId,
    kind: 'payee_activated',
    payload: {
      merchant_name: merchantName,
      payee_name: version.name,
      network: version.network,
      asset: version.asset,
      address: version.address,
      memo: version.memo,
      domain: evidence.domain,
      binding: evidence.binding,
      recipient_id: recipient.recipient_id,
      recipient_version_id: version.recipient_version_id,
    },
  });
}
