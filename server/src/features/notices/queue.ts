// Mail that waits to be sent. What it says is written when it leaves, by `merchant-accounts`.
// Any feature may import it; it imports none.
// A notice commits with the act that it tells of.

import { NAME_NOT_SHOWN, type OperatorRole, type PayeeBinding, shownName } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';

export const MAIL_JOB = 'mail';

/** What operators are told when money can flow to another place than before. */
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

/** The domain vouches for nobody of this organization any more. */
export interface DomainLostNotice {
  merchant_name: string;
  domain: string;
  because: 'proved_by_another_organization' | 'challenge_absent' | 'suspended_by_operator';
  /** How many Recipients are suspended by it, and the names of the first of them. */
  suspended: number;
  payees: readonly string[];
}

/** The domain came from another organization. */
export interface DomainGainedNotice {
  merchant_name: string;
  domain: string;
}

/** The challenge has been gone for some days, and the domain lapses when it stays so. */
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

/** A secret that works until somebody revokes it. */
export interface ApiKeyCreatedNotice {
  merchant_name: string;
  api_key_id: string;
  key_name: string;
  agent_id: string;
  agent_name: string;
  made_with: 'session' | 'admin_session';
}

/** Who may do what has changed, or somebody asks that it does. */
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

export interface AccessChangedNotice {
  merchant_name: string;
  change: AccessChange;
  /** Name and value, as a reader sees them. */
  facts: readonly (readonly [name: string, value: string])[];
  /** A link that cancels this passkey is in the mail, as long as it is not effective. */
  passkey_id?: string;
}

/** Somebody becomes an operator by signing in. */
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

/** A link mail waits here without its token, which is made when the mail leaves. */
export async function queueSignInLink(
  tx: Tx,
  act: Act,
  { email, requestedFrom }: { email: string; requestedFrom: string },
): Promise<void> {
  await insertMailJobs(tx, [
    {
      mail_job_id: act.newId('mlj'),
      kind: 'sign_in_link',
      email,
      payload: { requested_from: requestedFrom },
      created_at: act.now,
    },
  ]);
  tx.afterCommit(() => act.announce(jobTopic(MAIL_JOB)));
}

/** A link mail like any other, which also says who invites to what. */
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

/** To every owner, and to the person whom it concerns. */
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

/** The same about what an operator did just now. */
export async function queueOwnerMail(
  tx: Tx,
  act: Act,
  by: { merchantId: string; accountId: string },
  { change, facts }: Pick<AccessChangedNotice, 'change' | 'facts'>,
): Promise<void> {
  // The organization, and who acts for it, as a reader knows them.
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

/** One mail to each operator of the tenant, in the transaction of what it tells. Notices are never withheld. */
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

/** As it is stored; which kinds there are is said where mail is queued. */
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
 * A name that people chose, of a merchant, agent, payee, passkey or key, in the body of a mail: quoted, so that it does not read as our own words. Subjects
 * contain none, because many readers see nothing else of a mail.
 */
export function mailName(name: string): string {
  const shown = shownName(name);
  return shown === undefined ? NAME_NOT_SHOWN : JSON.stringify(shown);
}
