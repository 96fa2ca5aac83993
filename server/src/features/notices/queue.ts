import type { PayeeBinding } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';
import { insertMailJobs, listOperatorEmails } from './sql.ts';

/** Mail that waits to be sent. What it says is written when it leaves, by the part that sends it. */

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

export type OperatorNotice = { merchantId: string } & (
  | { kind: 'payee_activated'; payload: PayeeActivatedNotice }
  | { kind: 'domain_lost'; payload: DomainLostNotice }
  | { kind: 'domain_gained'; payload: DomainGainedNotice }
  | { kind: 'domain_absent'; payload: DomainAbsentNotice }
  | { kind: 'api_key_created'; payload: ApiKeyCreatedNotice }
);

export type MailKind = 'sign_in_link' | OperatorNotice['kind'];

export interface MailJob {
  mail_job_id: string;
  kind: MailKind;
  email: string;
  payload: Record<string, unknown>;
  created_at: Date;
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
