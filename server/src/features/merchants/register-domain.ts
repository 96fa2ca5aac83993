import type { DomainMethod } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { invalid, limitReached, notFound } from '../../errors.ts';
import { addMs } from '../../lib/clock.ts';
import { parseDomainName } from '../../lib/domain-name/index.ts';
import { FIXED_CAPS } from '../../limits.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { audit, auditActor } from '../audit/record.ts';
import { queueOwnerMail } from '../notices/queue.ts';
import { CHALLENGE_LIFE_MS, newChallengeValue } from './challenge.ts';
import { deleteDomainRow, insertDomain, lockDomainByName, renewChallenge } from './domain-sql.ts';
import { suspendPayees } from './lapse-domain.ts';
import { domainIssues } from './schema.ts';
import type { DomainRow } from './view.ts';

const MAX_DOMAINS = FIXED_CAPS.domains.count;

interface RegisterDomainInput {
  domain: string;
  method?: DomainMethod;
}

/** The same name again is the same record, with the same challenge while it is valid. */
export async function registerDomain(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: RegisterDomainInput,
): Promise<{ row: DomainRow; isNew: boolean }> {
  const parsed = parseDomainName(input.domain);
  if (!parsed.ok) throw invalid(domainIssues(input.domain));
  const known = await lockDomainByName(tx, principal.merchantId, parsed.domain);
  if (known) return { row: await refresh(tx, act, principal, known, input.method), isNew: false };
  const made = await insertDomain(
    tx,
    principal.merchantId,
    {
      domain_id: act.newId('dom'),
      domain: parsed.domain,
      method: input.method ?? 'dns',
      challenge: newChallengeValue(act.randomBytes),
      challenge_expires_at: addMs(act.now, CHALLENGE_LIFE_MS),
      created_at: act.now,
    },
    MAX_DOMAINS,
  );
  if (made) {
    await recordRegistration(tx, act, principal, made, {});
    return { row: made, isNew: true };
  }
  // A concurrent call of this tenant registered the name between the two statements, or the tenant has reached the cap.
  const other = await lockDomainByName(tx, principal.merchantId, parsed.domain);
  if (!other)
    throw limitReached(`An organization has at most ${MAX_DOMAINS} domains: delete one first.`, MAX_DOMAINS);
  return { row: await refresh(tx, act, principal, other, input.method), isNew: false };
}

/**
 * A verified record stays as it is: its challenge is checked again for every evidence. Any other may get the requested
 * method, and a new challenge when the old one has expired.
 */
async function refresh(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  row: DomainRow,
  askedMethod: DomainMethod | undefined,
): Promise<DomainRow> {
  const method = askedMethod ?? row.method;
  const isOver = act.now > row.challenge_expires_at;
  if (row.status === 'verified' || (method === row.method && !isOver)) return row;
  const change = isOver
    ? {
        challenge: newChallengeValue(act.randomBytes),
        challenge_expires_at: addMs(act.now, CHALLENGE_LIFE_MS),
      }
    : { challenge: row.challenge, challenge_expires_at: row.challenge_expires_at };
  const changed = await renewChallenge(tx, principal.merchantId, row.domain_id, { method, ...change });
  if (!changed) return row;
  await recordRegistration(tx, act, principal, changed, { again: true, new_challenge: isOver });
  return changed;
}

async function recordRegistration(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  row: DomainRow,
  more: Record<string, unknown>,
): Promise<void> {
  await audit(tx, act, principal, principal.merchantId, 'domain.registered', row.domain_id, {
    domain: row.domain,
    method: row.method,
    ...more,
  });
}

/** Releases the name. The organization stays active; payees that depend on this domain are suspended. */
export async function deleteDomain(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  domainId: string,
): Promise<DomainRow> {
  const row = await deleteDomainRow(tx, principal.merchantId, domainId, act.now);
  if (!row) throw notFound();
  await audit(tx, act, principal, principal.merchantId, 'domain.deleted', row.domain_id, {
    domain: row.domain,
    status: row.status,
  });
  const suspended = await suspendPayees(tx, act, auditActor(principal), row, 'domain_deleted');
  await queueOwnerMail(tx, act, principal, {
    change: 'domain_deleted',
    facts: [
      ['Domain', row.domain],
      ['Suspended payees', String(suspended.length)],
    ],
  });
  return row;
}
