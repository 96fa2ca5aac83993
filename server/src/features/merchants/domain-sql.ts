import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { DomainRow, DomainWatch } from './view.ts';

export async function findDomain(sql: Sql, merchantId: string, domainId: string) {
  const rows = await sql<DomainRow[]>`
    select * from domains
    where domain_id = ${domainId} and merchant_id = ${merchantId} and deleted_at is null`;
  return rows[0];
}

/** Locked until the end of the transaction: the domain cannot be deleted or moved meanwhile. */
export async function holdDomain(tx: Tx, merchantId: string, domainId: string) {
  const rows = await tx<DomainRow[]>`
    select * from domains
    where domain_id = ${domainId} and merchant_id = ${merchantId} and deleted_at is null
    for share`;
  return rows[0];
}

export function listDomains(db: Sql, merchantId: string, page: PageRead): Promise<DomainRow[]> {
  return db<DomainRow[]>`
    select * from domains where merchant_id = ${merchantId} and deleted_at is null
    ${newestFirst(db, page, 'domain_id')}`;
}

/** Returns nothing when the tenant has this name already, or has reached the cap. */
export async function insertDomain(
  tx: Tx,
  merchantId: string,
  row: Omit<DomainRow, 'merchant_id' | 'status' | 'verified_at' | keyof DomainWatch>,
  maxPerMerchant: number,
): Promise<DomainRow | undefined> {
  const rows = await tx<DomainRow[]>`
    insert into domains
      (domain_id, merchant_id, domain, method, status, challenge, challenge_expires_at, created_at)
    select ${row.domain_id}, ${merchantId}, ${row.domain}, ${row.method}, 'pending', ${row.challenge},
           ${row.challenge_expires_at}, ${row.created_at}
    where (select count(*) from domains where merchant_id = ${merchantId} and deleted_at is null) < ${maxPerMerchant}
    on conflict (merchant_id, domain) where deleted_at is null do nothing
    returning *`;
  return rows[0];
}

export async function lockDomainByName(tx: Tx, merchantId: string, domain: string) {
  const rows = await tx<DomainRow[]>`
    select * from domains
    where merchant_id = ${merchantId} and domain = ${domain} and deleted_at is null
    for update`;
  return rows[0];
}

export async function renewChallenge(
  tx: Tx,
  merchantId: string,
  domainId: string,
  change: Pick<DomainRow, 'method' | 'challenge' | 'challenge_expires_at'>,
): Promise<DomainRow | undefined> {
  const rows = await tx<DomainRow[]>`
    update domains
    set method = ${change.method}, challenge = ${change.challenge}, challenge_expires_at = ${change.challenge_expires_at}
    where domain_id = ${domainId} and merchant_id = ${merchantId} and status <> 'verified' and deleted_at is null
    returning *`;
  return rows[0];
}

export async function deleteDomainRow(tx: Tx, merchantId: string, domainId: string, now: Date) {
  const rows = await tx<DomainRow[]>`
    update domains set deleted_at = ${now}
    where domain_id = ${domainId} and merchant_id = ${merchantId} and deleted_at is null
    returning *`;
  return rows[0];
}

/** The one place where a name counts across tenants: at most one of them has it verified. */
export async function findVerifiedOwner(sql: Sql, domain: string): Promise<DomainRow | undefined> {
  const rows = await sql<DomainRow[]>`
    select * from domains where domain = ${domain} and status = 'verified' and deleted_at is null`;
  return rows[0];
}

export async function nameOfDomain(sql: Sql, domainId: string): Promise<string | undefined> {
  const rows = await sql<{ domain: string }[]>`select domain from domains where domain_id = ${domainId}`;
  return rows[0]?.domain;
}

/** Serializes every proof of this name, and returns its holder: verified, or else the last one. */
export async function lockName(tx: Tx, domain: string): Promise<DomainRow | undefined> {
  await takeTurn(tx, domain);
  const rows = await tx<DomainRow[]>`
    select * from domains where domain = ${domain} and deleted_at is null and status in ('verified', 'lapsed')
    order by status = 'verified' desc, verified_at desc limit 1
    for update`;
  return rows[0];
}

async function takeTurn(tx: Tx, domain: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`domain ${domain}`}, 0))`;
}

export async function isNameSuspended(tx: Tx, domain: string): Promise<boolean> {
  const rows = await tx`select from suspended_domains where domain = ${domain}`;
  return rows.length > 0;
}

export async function suspendName(tx: Tx, domain: string, now: Date): Promise<boolean> {
  const rows = await tx`
    insert into suspended_domains (domain, suspended_at) values (${domain}, ${now})
    on conflict do nothing returning domain`;
  return rows.length > 0;
}

export async function liftDomain(tx: Tx, domain: string): Promise<boolean> {
  const rows = await tx`delete from suspended_domains where domain = ${domain} returning domain`;
  return rows.length > 0;
}

/**
 * Proofs of one name are serialized, whichever tenant makes them; other names do not wait. Then the two records of a
 * proof are locked in one order: the tenant's own and the verified one, which may be the same.
 */
export async function lockForProof(tx: Tx, domain: string, domainId: string): Promise<DomainRow[]> {
  await takeTurn(tx, domain);
  return tx<DomainRow[]>`
    select * from domains
    where deleted_at is null and (domain_id = ${domainId} or (domain = ${domain} and status = 'verified'))
    order by domain_id
    for update`;
}

export async function markVerified(tx: Tx, merchantId: string, domainId: string, now: Date, checkAt: Date) {
  const rows = await tx<DomainRow[]>`
    update domains
    set status = 'verified', verified_at = ${now}, check_at = ${checkAt}, check_lease = null, absent_at = null,
        absent_ms = 0, absence_told = 0
    where domain_id = ${domainId} and merchant_id = ${merchantId} and ${mayBecome(tx, 'domain', 'verified', 'merchant')}
      and deleted_at is null
    returning *`;
  return rows[0];
}

/** Its challenge stays valid for a while, so that the previous owner can prove the domain again. */
export async function markLapsed(tx: Tx, merchantId: string, domainId: string, challengeExpiresAt: Date) {
  await tx`
    update domains
    set status = 'lapsed', challenge_expires_at = greatest(challenge_expires_at, ${challengeExpiresAt})
    where domain_id = ${domainId} and merchant_id = ${merchantId}
      and ${mayBecome(tx, 'domain', 'lapsed', 'system')} and deleted_at is null`;
}

/**
 * Verified domains whose daily lookup is due. A lease that is not completed in time expires, and they are due again.
 */
export async function claimDue(
  db: Database,
  lease: string,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<DomainRow[]> {
  return db<DomainRow[]>`
    update domains set check_lease = ${lease}, check_at = ${leaseUntil}
    where domain_id in (
      select domain_id from domains where status = 'verified' and deleted_at is null and check_at <= ${now}
      order by check_at limit ${limit} for update skip locked)
    returning *`;
}

/** Without a result: the next process checks them. */
export async function giveBack(db: Database, lease: string, now: Date): Promise<void> {
  await db`update domains set check_lease = null, check_at = ${now} where check_lease = ${lease}`;
}

export async function lockWatched(tx: Tx, merchantId: string, domainId: string, lease: string) {
  const rows = await tx<DomainRow[]>`
    select * from domains
    where domain_id = ${domainId} and merchant_id = ${merchantId} and check_lease = ${lease} and status = 'verified'
      and deleted_at is null
    for update`;
  return rows[0];
}
