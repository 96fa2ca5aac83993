import { PAYEE_CHANGE_WAYS } from '@payassent/protocol';
import { STEP_UP_LIFE_MS } from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, SecondOwnerNeeded } from '../../errors.ts';
import type { Factors, MerchantPrincipal } from '../../http/principals.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { MerchantRow } from '../merchants/rows.ts';
import { findVerifiedDomain } from '../merchants/verified-domain.ts';
import { isSecondPerson, listSettledOwners } from '../owners/owners.ts';
import { nameDigest } from './name-digest.ts';
import { isNameTaken } from './sql.ts';
import { selectVersion } from './version-sql.ts';
import type { EvidenceRow, RecipientRow, VersionRow } from './view.ts';

export interface PayeeToBe {
  recipient: RecipientRow;
  version: VersionRow;
  evidence: EvidenceRow;
  merchant: MerchantRow;
}

/**
 * Money that went to one place would go to another. One who reads an owner's mailbox can do all that this call needs, and
 * can invite more owners; so it also needs something that is not in the mailbox, and that was not made with it a moment
 * ago: a record in the DNS of a domain, the passkey of an owner, or two owners. Owners are settled ones here, the one
 * who asks too, and wherever two are required for everything: the mailbox alone may have required that.
 */
export async function guardChange(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  payee: PayeeToBe,
): Promise<void> {
  if (!(await isChanged(tx, payee))) return;
  if (await isBoundInDns(tx, payee, act.now)) return;
  const owners = await listSettledOwners(tx, principal.merchantId, act.now);
  const asker = owners.find((owner) => owner.account_id === principal.accountId);
  const isSecond = (accountId: string) =>
    asker !== undefined && isSecondPerson(owners, accountId, asker.email);
  if (act.approval) {
    if (isSecond(act.approval.approvedBy)) return;
    throw new AppError('second_person_required', {
      message:
        'A changed payee is asked for and approved by two people who have been owners for a day at least.',
    });
  }
  if (asker && isProvedByPasskey(principal.factors, act.now)) return;
  if (!owners.some((owner) => isSecond(owner.account_id))) throw notEnough();
  // Only rehearsed where two owners are required for everything: the call is kept in any case.
  if (!principal.fourEyes) throw new SecondOwnerNeeded();
}

function notEnough(): AppError {
  return new AppError('step_up_required', {
    message:
      'This changes where money goes, and a mailbox alone is not enough for that. Publish the payee record in DNS and verify the version again. Or, as an owner for a day at least, use a passkey that has been effective for a day, or have a second such owner.',
    details: { ways: PAYEE_CHANGE_WAYS },
  });
}

/** What a payment is made with. The name is not among them, nor what follows from the others. */
const PAYMENT_DETAILS = [
  'network',
  'asset',
  'address',
  'memo',
  'memo_policy',
  'contract',
  'issuer',
  'decimals',
  'chain_id',
] as const satisfies readonly (keyof VersionRow)[];

/** Also where a Recipient appears under the name of an earlier one: people and agents choose payees by name. */
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

/** Anyone can bring a domain of their own: one that was just verified says nothing about the organization. */
async function isBoundInDns(tx: Tx, { evidence, merchant }: PayeeToBe, now: Date): Promise<boolean> {
  if (evidence.binding !== 'payee' || evidence.method !== 'dns') return false;
  const aDayAgo = addMs(now, -DAY_MS);
  if (merchant.created_at > aDayAgo) return true;
  const { verifiedAt } = await findVerifiedDomain(tx, merchant.merchant_id, evidence.source_id);
  return verifiedAt <= aDayAgo;
}
