// Who owns an organization, as people and not as addresses. Any rule that needs a second owner imports it; it imports
// no feature. Two addresses of one mailbox are one person, and a new owner counts after a day.

import type { Sql } from '../../db/open.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';

/** How many people own the organization, with or without one of the owners. */
export async function countOwners(
  sql: Sql,
  merchantId: string,
  without?: { accountId: string },
): Promise<number> {
  const owners = await selectActiveOwners(sql, merchantId);
  return countPersons(
    owners.filter((owner) => owner.account_id !== without?.accountId).map(({ email }) => email),
  );
}

/**
 * Owners who can act as a second owner. An attacker with access to one owner's mailbox could invite a second owner: so
 * a new one counts after a day, and every owner gets a mail about it. In the first day of an organization all count.
 */
export async function listEstablishedOwners(sql: Sql, merchantId: string, now: Date): Promise<OwnerRow[]> {
  return (await selectActiveOwners(sql, merchantId)).filter((owner) => isEstablished(owner, now));
}

function isEstablished({ since, organization_since }: OwnerRow, now: Date): boolean {
  const aDayAgo = addMs(now, -DAY_MS);
  return since <= aDayAgo || organization_since > aDayAgo;
}

/** Whether this owner can decide about the other one's request. */
export function isSecondPerson(owners: readonly OwnerRow[], accountId: string, askerEmail: string): boolean {
  const owner = owners.find(({ account_id }) => account_id === accountId);
  return owner !== undefined && !isSamePerson(owner.email, askerEmail);
}

interface OwnerRow {
  account_id: string;
  email: string;
  /** Owner since then: signed in, and with this role. */
  since: Date;
  organization_since: Date;
}

/** Those who have signed in: an invited owner alone cannot keep an organization. */
async function selectActiveOwners(sql: Sql, merchantId: string): Promise<OwnerRow[]> {
  return sql<OwnerRow[]>`
    select o.account_id, a.email, greatest(o.joined_at, o.role_since) as since, m.created_at as organization_since
    from merchant_operators o join accounts a using (account_id) join merchants m using (merchant_id)
    where o.merchant_id = ${merchantId} and o.role = 'owner' and o.joined_at is not null
    order by o.account_id`;
}

/**
 * The person behind an address: mailboxes treat `me+second@`, `m.e@` and `Me@` of one domain as one. Two of them do not
 * make two people.
 */
function personOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).toLowerCase();
  const bare = local.replace(/\+.*$/, '').replaceAll('.', '');
  return `${bare === '' ? local : bare}@${email.slice(at + 1).toLowerCase()}`;
}

export function isSamePerson(one: string, other: string): boolean {
  return personOf(one) === personOf(other);
}

export function countPersons(emails: readonly string[]): number {
  return new Set(emails.map(personOf)).size;
}
