import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { addMs } from '../../lib/clock.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';
import { CHECK_EVERY_MS } from './check.ts';
import { findDomain, findVerifiedOwner, isNameSuspended, lockForProof, markVerified } from './domain-sql.ts';
import { lapseDomain } from './lapse-domain.ts';
import { activatePendingMerchant, readMerchant } from './merchant.ts';
import { domainProofFailed, type ProofFailure, type ProofParts, proveDomainNow } from './prove-domain.ts';
import type { DomainRow, MerchantRow } from './view.ts';

// Each new turn means that another party's proof of the same name was committed meanwhile.
const MAX_TURNS = 5;

interface VerifiedOutcome {
  domain: DomainRow;
  merchant: MerchantRow;
}

/**
 * Checks first, writes afterwards: a result from the network is written only if the records have not changed since the
 * check. A failed proof writes nothing at all.
 */
export async function verifyDomain(
  parts: ProofParts & { db: Database },
  act: Act,
  principal: MerchantPrincipal,
  domainId: string,
): Promise<VerifiedOutcome> {
  const { db } = parts;
  for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
    const mine = await findDomain(db, principal.merchantId, domainId);
    if (!mine) throw notFound();
    if (mine.status === 'verified')
      return { domain: mine, merchant: await readMerchant(db, principal.merchantId) };
    await refuseUnlessProved(parts, act, mine);
    const owner = await findVerifiedOwner(db, mine.domain);
    // Another call of this tenant was faster.
    if (owner?.domain_id === mine.domain_id) continue;
    if (owner) await refuseWhileOwned(parts, owner);
    const outcome = await transaction(db, (tx) => writeProof(tx, act, principal, { mine, owner }));
    if (outcome) return outcome;
  }
  throw new AppError('unavailable', {
    message: 'Several organizations are proving this domain at the same time. Try again in a moment.',
  });
}

async function refuseUnlessProved(parts: ProofParts, act: Act, mine: DomainRow): Promise<void> {
  if (act.now > mine.challenge_expires_at) {
    throw domainProofFailed({
      ...wouldLookUp(mine),
      reason: 'challenge_expired',
      explanation:
        'The challenge is older than 7 days. Register the same domain again, publish the new challenge, then verify.',
    });
  }
  const result = await proveDomainNow(parts, mine);
  if (!result.ok) throw domainProofFailed(result.details);
}

function wouldLookUp(mine: DomainRow): Omit<ProofFailure, 'reason' | 'explanation'> {
  const isDns = mine.method === 'dns';
  return {
    method: mine.method,
    looked_up: isDns
      ? { type: 'TXT', name: challengeRecordName(mine.domain) }
      : { url: challengeUrl(mine.domain) },
    expected: mine.challenge,
    found: null,
  };
}

function suspendedName(mine: DomainRow): ProofFailure {
  return {
    ...wouldLookUp(mine),
    reason: 'suspended_by_operator',
    explanation:
      'The host of this service has suspended this domain. It cannot be proved until the host lifts that.',
  };
}

/** A domain leaves its owner only when the owner's challenge is gone; silent servers do not prove that. */
async function refuseWhileOwned(parts: ProofParts, owner: DomainRow): Promise<void> {
  const result = await proveDomainNow(parts, owner);
  if (result.ok) throw new AppError('domain_already_verified');
  if (result.inconclusive)
    throw new AppError('domain_already_verified', {
      message:
        'Another organization has verified this domain, and whether it still publishes its proof could not be found out. Try again later.',
    });
}

/** Undefined when the records have changed since the lookup. */
async function writeProof(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  seen: { mine: DomainRow; owner: DomainRow | undefined },
): Promise<VerifiedOutcome | undefined> {
  const rows = await lockForProof(tx, seen.mine.domain, seen.mine.domain_id);
  const mine = rows.find((row) => row.domain_id === seen.mine.domain_id);
  const owner = rows.find((row) => row.status === 'verified');
  if (!mine) throw notFound();
  const isAsSeen =
    mine.status !== 'verified' &&
    mine.challenge === seen.mine.challenge &&
    mine.method === seen.mine.method &&
    owner?.domain_id === seen.owner?.domain_id &&
    owner?.verified_at?.getTime() === seen.owner?.verified_at?.getTime();
  if (!isAsSeen) return undefined;
  if (await isNameSuspended(tx, mine.domain)) throw domainProofFailed(suspendedName(mine));
  if (owner) await lapseDomain(tx, act, owner, 'proved_by_another_organization');
  const verified = await markVerified(
    tx,
    principal.merchantId,
    mine.domain_id,
    act.now,
    addMs(act.now, CHECK_EVERY_MS),
  );
  if (!verified) return undefined;
  await audit(tx, act, principal, principal.merchantId, 'domain.verified', verified.domain_id, {
    domain: verified.domain,
    method: verified.method,
  });
  const activated = await activatePendingMerchant(tx, principal.merchantId, act.now);
  if (activated) {
    await audit(tx, act, principal, principal.merchantId, 'merchant.activated', principal.merchantId, {
      domain: verified.domain,
    });
  }
  const merchant = activated ?? (await readMerchant(tx, principal.merchantId));
  if (owner) {
    await queueOperatorMail(tx, act, {
      merchantId: principal.merchantId,
      kind: 'domain_gained',
      payload: { merchant_name: merchant.name, domain: verified.domain },
    });
  }
  return { domain: verified, merchant };
}
