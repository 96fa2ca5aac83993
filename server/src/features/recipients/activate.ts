import {
  canMove,
  type Network,
  PAYEE_CHANGE_WAYS,
  PAYMENT_DETAILS,
  payeeRecord,
  payeeRecordName,
  payeeRecordsUrl,
} from '@payassent/protocol';
import { STEP_UP_LIFE_MS } from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, SecondOwnerNeeded, versionConflict } from '../../errors.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { Recall } from '../../payments/index.ts';
import type { Factors, MerchantPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { readMerchant, requirePayeeBinding } from '../merchants/merchant.ts';
import { domainProofFailed } from '../merchants/prove-domain.ts';
import { findVerifiedDomain, standsBehind } from '../merchants/verified-domain.ts';
import type { MerchantRow } from '../merchants/view.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { isSecondPerson, listEstablishedOwners } from '../owners/owners.ts';
import { logPayees } from '../transparency-log/append.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { recallPending } from './recall.ts';
import { type ActivateInput, nameDigest, type RecipientAndVersion, refuseArchived } from './recipients.ts';
import { isNameTaken, lockRecipient, updateRecipient } from './sql.ts';
import { cannotBecome } from './verify.ts';
import { markActive, selectEvidence, selectVersion, supersedeOthers } from './version-sql.ts';
import {
  type EvidenceRow,
  loggedPayee,
  type RecipientRow,
  recipientView,
  type VersionRow,
  versionView,
} from './view.ts';

interface ActivationPlace {
  recipientId: string;
  versionId: string;
  enabledNetworks: readonly Network[];
  /** This service accepts only evidence that is bound to its payee. */
  mustBind: boolean;
  /** Access to a mailbox alone does not change where money goes. */
  isGuarded: boolean;
}

/**
 * The only way in which money gets a new destination: evidence by id and digest, a domain that is still verified, the
 * version the team member saw, an enabled network. The previous active version is superseded in the same transaction,
 * so that there is always exactly one.
 */
export async function activateVersion(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  place: ActivationPlace,
  input: ActivateInput,
): Promise<RecipientAndVersion & { recall?: Recall }> {
  const { merchantId } = principal;
  // The domain is locked before the payee, as in everything that ends a domain.
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
    throw cannotBecome(chosen, 'active');
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
    message: `This service does not accept payments on ${version.network}. Enabled: ${enabled.join(', ')}.`,
    details: { network: version.network, enabled_networks: enabled },
  });
}

/**
 * Published in the audit trail, in the transparency log, to the merchant's endpoints and to every team member's
 * mailbox: a change of payee is never silent.
 */
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
  await audit(tx, act, principal, merchantId, 'recipient.version_activated', recipient.recipient_id, {
    recipient_version_id: version.recipient_version_id,
    superseded_version_id: former?.recipient_version_id ?? null,
    evidence_id: evidence.evidence_id,
    evidence_digest: evidence.evidence_digest,
    binding: evidence.binding,
    network: version.network,
    asset: version.asset,
    address: version.address,
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

interface PayeeToBe {
  recipient: RecipientRow;
  version: VersionRow;
  evidence: EvidenceRow;
  merchant: MerchantRow;
}

/**
 * Money would go to a new place. An attacker who reads an owner's mailbox can do all that this call needs, and can
 * invite more owners; so it also needs something that is not in the mailbox, and that was not made with it a moment
 * ago: a record in the DNS of a domain, the passkey of an owner, or two owners. Owners are established ones here,
 * including the requester, and even where two are required for everything: mailbox access alone may have set that
 * requirement.
 */
async function guardChange(tx: Tx, act: Act, principal: MerchantPrincipal, payee: PayeeToBe): Promise<void> {
  if (!(await isChanged(tx, payee))) return;
  if (await isBoundInDns(tx, payee, act.now)) return;
  const owners = await listEstablishedOwners(tx, principal.merchantId, act.now);
  const asker = owners.find((owner) => owner.account_id === principal.accountId);
  const isSecond = (accountId: string) =>
    asker !== undefined && isSecondPerson(owners, accountId, asker.email);
  if (act.approval) {
    if (isSecond(act.approval.approvedBy)) return;
    throw new AppError('second_person_required', {
      message:
        'A changed payee is requested and approved by two people who have each been owners for at least a day.',
    });
  }
  if (asker && isProvedByPasskey(principal.factors, act.now)) return;
  if (!owners.some((owner) => isSecond(owner.account_id))) throw notEnough();
  // Only rehearsed where two owners are required for everything: the call is stored in any case.
  if (!principal.fourEyes) throw new SecondOwnerNeeded();
}

function notEnough(): AppError {
  return new AppError('step_up_required', {
    message:
      'This changes where money goes, and a mailbox alone is not enough for that. Publish the payee record in DNS and verify the version again. Or, as an owner for a day at least, use a passkey that has been effective for a day, or have a second such owner.',
    details: { ways: PAYEE_CHANGE_WAYS },
  });
}

/** Also where a payee takes the name of an earlier one: people and agents choose payees by name. */
async function isChanged(tx: Tx, { recipient, version }: PayeeToBe): Promise<boolean> {
  const { merchant_id: merchantId, recipient_id: recipientId, active_version_id: activeId } = recipient;
  const active = activeId === null ? undefined : await selectVersion(tx, merchantId, recipientId, activeId);
  if (active && PAYMENT_DETAILS.some((detail) => active[detail] !== version[detail])) return true;
  const digest = nameDigest(version.name);
  if (active && nameDigest(active.name) === digest) return false;
  return isNameTaken(tx, merchantId, recipientId, digest);
}

function isProvedByPasskey({ steppedUpAt, passkeyEffectiveAt }: Factors, now: Date): boolean {
  if (!steppedUpAt || !passkeyEffectiveAt) return false;
  return addMs(steppedUpAt, STEP_UP_LIFE_MS) >= now && addMs(passkeyEffectiveAt, DAY_MS) <= now;
}

/** An attacker can bring their own domain: one that was just verified proves nothing about the organization. */
async function isBoundInDns(tx: Tx, { evidence, merchant }: PayeeToBe, now: Date): Promise<boolean> {
  if (evidence.binding !== 'payee' || evidence.method !== 'dns') return false;
  const aDayAgo = addMs(now, -DAY_MS);
  if (merchant.created_at > aDayAgo) return true;
  const { verifiedAt } = await findVerifiedDomain(tx, merchant.merchant_id, evidence.source_id);
  return verifiedAt <= aDayAgo;
}
