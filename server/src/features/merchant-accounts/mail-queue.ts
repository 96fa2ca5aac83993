import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { jobTopic } from '../../jobs/job.ts';
import { insertMailJobs, listOperatorEmails } from './mail-sql.ts';

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
  recipient_id: string;
  recipient_version_id: string;
}

export interface OperatorNotice {
  merchantId: string;
  kind: 'payee_activated';
  payload: PayeeActivatedNotice;
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
