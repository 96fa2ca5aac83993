import type { Tx } from '../../db/open.ts';

/** As it is stored; which kinds there are is said where mail is queued. */
export interface MailJobRow {
  mail_job_id: string;
  kind: string;
  email: string;
  payload: Record<string, unknown>;
  created_at: Date;
}

export async function insertMailJobs(tx: Tx, jobs: readonly MailJobRow[]): Promise<void> {
  const rows = jobs.map((job) => ({
    ...job,
    payload: tx.json(job.payload as never),
    run_at: job.created_at,
  }));
  if (rows.length > 0) await tx`insert into mail_jobs ${tx(rows)}`;
}

export async function listOperatorEmails(tx: Tx, merchantId: string): Promise<string[]> {
  const rows = await tx<{ email: string }[]>`
    select email from merchant_operators join accounts using (account_id)
    where merchant_id = ${merchantId} and joined_at is not null
    order by email`;
  return rows.map((row) => row.email);
}

export async function listOwnerEmails(tx: Tx, merchantId: string): Promise<string[]> {
  const rows = await tx<{ email: string }[]>`
    select email from merchant_operators join accounts using (account_id)
    where merchant_id = ${merchantId} and joined_at is not null and role = 'owner'
    order by email`;
  return rows.map((row) => row.email);
}

/** The organization, and who acts for it, as a reader knows them. */
export async function readNames(
  tx: Tx,
  merchantId: string,
  accountId: string,
): Promise<{ merchant_name: string; email: string | null } | undefined> {
  const rows = await tx<{ merchant_name: string; email: string | null }[]>`
    select name as merchant_name, (select email from accounts where account_id = ${accountId}) as email
    from merchants where merchant_id = ${merchantId}`;
  return rows[0];
}
