// Mail that waits to be sent. `merchant-accounts` writes its text when it is sent. Any feature may import it; it
// imports none. A notice commits with the act that it reports.

import {
  type Language,
  NAME_NOT_SHOWN,
  type OperatorRole,
  type PayeeBinding,
  shownName,
} from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';

export const MAIL_JOB = 'mail';

/** The notice to team members when money can flow to a new place. */
export interface PayeeActivatedNotice {
  merchant_name: string;
  payee_name: string;
  network: string;
  asset: string;
  address: string;
  memo: string | null;
  domain: string;
  binding: PayeeBinding;
  recipient_id: string;
  recipient_version_id: string;
}

/** The organization's domain has lapsed. */
export interface DomainLostNotice {
  merchant_name: string;
  domain: string;
  because: 'proved_by_another_organization' | 'challenge_absent' | 'suspended_by_operator';
  /** How many payees are suspended by it, and the names of the first of them. */
  suspended: number;
  payees: readonly string[];
}

/** The domain came from another organization. */
export interface DomainGainedNotice {
  merchant_name: string;
  domain: string;
}

/** The challenge has been absent for some days, and the domain lapses if it stays so. */
export interface DomainAbsentNotice {
  merchant_name: string;
  domain: string;
  days: number;
  lapses_after_days: number;
  method: 'dns' | 'https';
  /** The name of the record, or the address of the file. */
  place: string;
  expected: string;
}

/** A secret that works until it is revoked. */
export interface ApiKeyCreatedNotice {
  merchant_name: string;
  api_key_id: string;
  key_name: string;
  agent_id: string;
  agent_name: string;
  made_with: 'session' | 'admin_session';
}

/** Permissions have changed, or a change of them was requested. */
export type AccessChange =
  | 'operator_invited'
  | 'operator_joined'
  | 'operator_role_changed'
  | 'operator_removed'
  | 'passkey_registered'
  | 'passkey_pending'
  | 'passkey_removed'
  | 'passkey_confirmed'
  | 'passkey_cancelled'
  | 'passkeys_reset'
  | 'passkey_recovery_ended'
  | 'signed_in_by_mail'
  | 'four_eyes_on'
  | 'four_eyes_off'
  | 'approval_requested'
  | 'approval_approved'
  | 'approval_rejected'
  | 'agent_credential_added'
  | 'agent_credential_activated'
  | 'require_proof_off'
  | 'webhook_url_changed'
  | 'domain_deleted';

/** The kinds of values in a mail; members of an approval's `details` have the same names. */
export type FactName =
  | 'Address'
  | 'Agent'
  | 'API key'
  | 'Approval'
  | 'Asset'
  | 'Browser'
  | 'Cancelled by'
  | 'Change'
  | 'Changed by'
  | 'Confirmed by'
  | 'Decided by'
  | 'Domain'
  | 'Effective from'
  | 'Endpoint'
  | 'Expected'
  | 'File'
  | 'Host'
  | 'Invited by'
  | 'Key'
  | 'Memo'
  | 'Name'
  | 'Network'
  | 'Network address'
  | 'Operator'
  | 'Organization'
  | 'Passkey'
  | 'Passkeys again from'
  | 'Payee'
  | 'Previous host'
  | 'Previous role'
  | 'Proof of'
  | 'Proved by'
  | 'Recipient'
  | 'Removed by'
  | 'Requested by'
  | 'Role'
  | 'Suspended payees'
  | 'TXT record'
  | 'Version'
  | ApprovalDetail;

export type ApprovalDetail =
  | 'address'
  | 'asset'
  | 'binding'
  | 'domain'
  | 'email'
  | 'memo'
  | 'name'
  | 'network'
  | 'new_name'
  | 'payees'
  | 'pending'
  | 'recipient_version_id'
  | 'require_payee_binding'
  | 'role';

export type Fact = readonly [name: FactName, value: string];

export interface AccessChangedNotice {
  merchant_name: string;
  change: AccessChange;
  /** Words and times among the values are translated when the mail is sent. */
  facts: readonly Fact[];
  /** The mail has a link that cancels this passkey, until it is effective. */
  passkey_id?: string;
}

/** The invited person becomes a team member by signing in. */
export interface OperatorInvitedNotice {
  merchant_name: string;
  role: OperatorRole;
  invited_by: string;
}

type OperatorNotice = { merchantId: string } & (
  | { kind: 'payee_activated'; payload: PayeeActivatedNotice }
  | { kind: 'domain_lost'; payload: DomainLostNotice }
  | { kind: 'domain_gained'; payload: DomainGainedNotice }
  | { kind: 'domain_absent'; payload: DomainAbsentNotice }
  | { kind: 'api_key_created'; payload: ApiKeyCreatedNotice }
);

export type MailKind = 'sign_in_link' | 'operator_invitation' | 'access_changed' | OperatorNotice['kind'];

export interface MailJob extends MailJobRow {
  kind: MailKind;
}

/** A queued link mail has no token, which is made when the mail is sent. */
export async function queueSignInLink(
  tx: Tx,
  act: Act,
  {
    email,
    requestedFrom,
    language,
  }: { email: string; requestedFrom: string; language: Language | undefined },
): Promise<void> {
  await insertMailJobs(tx, [
    {
      mail_job_id: act.newId('mlj'),
      kind: 'sign_in_link',
      email,
      payload: { requested_from: requestedFrom, ...(language === undefined ? {} : { language }) },
      created_at: act.now,
    },
  ]);
  tx.afterCommit(() => act.announce(jobTopic(MAIL_JOB)));
}

/** A link mail like any other, which also names the inviter and the organization. */
export async function queueInvitation(
  tx: Tx,
  act: Act,
  { email, requestedFrom, notice }: { email: string; requestedFrom: string; notice: OperatorInvitedNotice },
): Promise<void> {
  await insertMailJobs(tx, [
    {
      mail_job_id: act.newId('mlj'),
      kind: 'operator_invitation',
      email,
      payload: { requested_from: requestedFrom, ...notice },
      created_at: act.now,
    },
  ]);
  tx.afterCommit(() => act.announce(jobTopic(MAIL_JOB)));
}

/** To every owner, and to the person concerned. */
export async function queueAccessMail(
  tx: Tx,
  act: Act,
  merchantId: string,
  notice: AccessChangedNotice,
  concerned: readonly string[] = [],
): Promise<void> {
  const emails = new Set([...(await listOwnerEmails(tx, merchantId)), ...concerned]);
  await insertMailJobs(
    tx,
    [...emails].map((email) => ({
      mail_job_id: act.newId('mlj'),
      kind: 'access_changed' as const,
      email,
      payload: { ...notice },
      created_at: act.now,
    })),
  );
  tx.afterCommit(() => act.announce(jobTopic(MAIL_JOB)));
}

/** The same about a team member's current act. */
export async function queueOwnerMail(
  tx: Tx,
  act: Act,
  by: { merchantId: string; accountId: string },
  { change, facts }: Pick<AccessChangedNotice, 'change' | 'facts'>,
): Promise<void> {
  // The organization, and who acts for it, in the names a reader knows.
  const [names] = await tx<{ merchant_name: string; email: string | null }[]>`
    select name as merchant_name, (select email from accounts where account_id = ${by.accountId}) as email
    from merchants where merchant_id = ${by.merchantId}`;
  const notice = {
    merchant_name: names?.merchant_name ?? by.merchantId,
    change,
    facts: [...facts, ['Operator', names?.email ?? by.accountId] as const],
  };
  await queueAccessMail(tx, act, by.merchantId, notice);
}

/**
 * One mail to each team member of the merchant, in the transaction of the act it reports. Notices are never withheld.
 */
export async function queueOperatorMail(tx: Tx, act: Act, notice: OperatorNotice): Promise<void> {
  const emails = await listOperatorEmails(tx, notice.merchantId);
  await insertMailJobs(
    tx,
    emails.map((email) => ({
      mail_job_id: act.newId('mlj'),
      kind: notice.kind,
      email,
      payload: { ...notice.payload },
      created_at: act.now,
    })),
  );
  tx.afterCommit(() => act.announce(jobTopic(MAIL_JOB)));
}

/** The stored form; the kinds are defined where mail is queued. */
interface MailJobRow {
  mail_job_id: string;
  kind: string;
  email: string;
  payload: Record<string, unknown>;
  created_at: Date;
}

async function insertMailJobs(tx: Tx, jobs: readonly MailJobRow[]): Promise<void> {
  const rows = jobs.map((job) => ({
    ...job,
    payload: tx.json(job.payload as never),
    run_at: job.created_at,
  }));
  if (rows.length > 0) await tx`insert into mail_jobs ${tx(rows)}`;
}

async function listOperatorEmails(tx: Tx, merchantId: string): Promise<string[]> {
  const rows = await tx<{ email: string }[]>`
    select email from merchant_operators join accounts using (account_id)
    where merchant_id = ${merchantId} and joined_at is not null
    order by email`;
  return rows.map((row) => row.email);
}

async function listOwnerEmails(tx: Tx, merchantId: string): Promise<string[]> {
  const rows = await tx<{ email: string }[]>`
    select email from merchant_operators join accounts using (account_id)
    where merchant_id = ${merchantId} and joined_at is not null and role = 'owner'
    order by email`;
  return rows.map((row) => row.email);
}

/**
 * A name chosen by people, of a merchant, agent, payee, passkey or key, in the body of a mail: quoted, so that it does
 * not read as our own words. Subjects contain none, because many readers see nothing else of a mail.
 */
export function mailName(name: string): string {
  const shown = shownName(name);
  return shown === undefined ? NAME_NOT_SHOWN : JSON.stringify(shown);
}
