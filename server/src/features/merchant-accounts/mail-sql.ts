import { type Language, languageOf, type MerchantStatus } from '@payassent/protocol';
import type { Database, Sql, Tx } from '../../db/open.ts';
import type { MailJob } from '../notices/queue.ts';

export interface MailJobRow extends MailJob {
  attempts: number;
}

/** A lease that is not renewed expires, and the mail becomes due again. */
export function claimMailJobs(db: Database, lease: string, now: Date, leaseUntil: Date, limit: number) {
  return db<MailJobRow[]>`
    update mail_jobs set lease = ${lease}, run_at = ${leaseUntil}, attempts = attempts + 1
    where mail_job_id in (
      select mail_job_id from mail_jobs where run_at <= ${now}
      order by run_at limit ${limit} for update skip locked)
    returning mail_job_id, kind, email, payload, created_at, attempts`;
}

export async function renewLease(db: Database, lease: string, leaseUntil: Date): Promise<void> {
  await db`update mail_jobs set run_at = ${leaseUntil} where lease = ${lease}`;
}

export async function deleteMailJob(sql: Sql, mailJobId: string, lease: string): Promise<void> {
  await sql`delete from mail_jobs where mail_job_id = ${mailJobId} and lease = ${lease}`;
}

export async function releaseMailJob(db: Database, mailJobId: string, lease: string, runAt: Date) {
  await db`
    update mail_jobs set lease = null, run_at = ${runAt} where mail_job_id = ${mailJobId} and lease = ${lease}`;
}

interface LinkCounts {
  fromHere: number;
  inAll: number;
  /** One of them still works, wherever it was requested. */
  hasWorkingLink: boolean;
}

/** Locked to the end of the transaction: link mails to one address are judged one after the other. */
export async function lockMailbox(tx: Tx, email: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${email}`}, 0))`;
}

/** How many link mails this mailbox got since then; a retried mail counts once. */
export async function countLinkMails(
  tx: Tx,
  email: string,
  requestedFrom: string,
  { since, now }: { since: Date; now: Date },
): Promise<LinkCounts> {
  const rows = await tx<LinkCounts[]>`
    select count(distinct mail_job_id) filter (where requested_from = ${requestedFrom})::int as "fromHere",
           count(distinct mail_job_id)::int as "inAll",
           coalesce(bool_or(used_at is null and expires_at >= ${now}), false) as "hasWorkingLink"
    from email_links where email = ${email} and created_at > ${since}`;
  return rows[0] ?? { fromHere: 0, inAll: 0, hasWorkingLink: false };
}

export async function isAlreadyCounted(tx: Tx, mailJobId: string): Promise<boolean> {
  const rows = await tx`select from email_links where mail_job_id = ${mailJobId} limit 1`;
  return rows.length > 0;
}

/** The organizations that this address can enter; none when there is no account yet. */
export async function listWorkspacesByEmail(
  tx: Tx,
  email: string,
): Promise<{ name: string; status: MerchantStatus }[]> {
  return tx<{ name: string; status: MerchantStatus }[]>`
    select merchants.name, merchants.status
    from accounts join merchant_operators using (account_id) join merchants using (merchant_id)
    where email = ${email}
    order by merchants.created_at desc, merchants.merchant_id desc`;
}

/** The language of the last sign-in of the first of these people who has one; undefined where none has. */
export async function readLanguage(tx: Tx, emails: readonly string[]): Promise<Language | undefined> {
  const rows = await tx<{ language: string }[]>`
    select language from accounts where email = any(${[...emails]}::text[]) and language is not null
    order by array_position(${[...emails]}::text[], email) limit 1`;
  return languageOf(rows[0]?.language ?? '');
}

/** Of a passkey that is not effective yet; false when it is gone. */
export async function insertCancellation(
  tx: Tx,
  link: { token_hash: string; passkey_id: string; email: string },
  now: Date,
): Promise<boolean> {
  const result = await tx`
    insert into passkey_cancellations (token_hash, passkey_id, email, expires_at)
    select ${link.token_hash}, passkey_id, ${link.email}, effective_at from operator_passkeys
    where passkey_id = ${link.passkey_id} and effective_at > ${now}`;
  return result.count > 0;
}
