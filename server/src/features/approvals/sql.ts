import type { ApprovalStatus, OperatorRole } from '@payassent/protocol';
import type { Sql, Tx } from '../../db/open.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { ApprovalRow } from './view.ts';

type NewApproval = Omit<ApprovalRow, 'requested_by_email' | 'decided_by' | 'decided_by_email' | 'decided_at'>;

export async function insertApproval(tx: Tx, row: NewApproval): Promise<void> {
  const { params, body, details, ...rest } = row;
  await tx`insert into approvals ${tx({
    ...rest,
    params: tx.json(params),
    body: tx.json(body as never),
    details: tx.json(details as never),
  })}`;
}

export async function countPending(tx: Tx, merchantId: string, now: Date): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from approvals
    where merchant_id = ${merchantId} and status = 'pending' and expires_at >= ${now}`;
  return row.count;
}

function selectApprovals(sql: Sql) {
  return sql`
    select p.*, r.email as requested_by_email, d.email as decided_by_email
    from approvals p
      join accounts r on r.account_id = p.requested_by
      left join accounts d on d.account_id = p.decided_by`;
}

export async function readApproval(sql: Sql, merchantId: string, approvalId: string) {
  const rows = await sql<ApprovalRow[]>`
    ${selectApprovals(sql)} where p.merchant_id = ${merchantId} and p.approval_id = ${approvalId}`;
  return rows[0];
}

export function listApprovals(
  sql: Sql,
  merchantId: string,
  status: ApprovalStatus | undefined,
  now: Date,
  page: PageRead,
): Promise<ApprovalRow[]> {
  const wanted = {
    pending: sql`and p.status = 'pending' and p.expires_at >= ${now}`,
    expired: sql`and p.status = 'pending' and p.expires_at < ${now}`,
    approved: sql`and p.status = 'approved'`,
    rejected: sql`and p.status = 'rejected'`,
  };
  return sql<ApprovalRow[]>`
    ${selectApprovals(sql)} where p.merchant_id = ${merchantId} ${status ? wanted[status] : sql``}
    ${newestFirst(sql, page, 'p.approval_id')}`;
}

/** Once, and only in time: false when another owner decided first or the time is over. */
export async function decide(
  tx: Tx,
  decision: {
    merchantId: string;
    approvalId: string;
    status: 'approved' | 'rejected';
    decidedBy: string;
    now: Date;
  },
): Promise<boolean> {
  const result = await tx`
    update approvals
    set status = ${decision.status}, decided_by = ${decision.decidedBy}, decided_at = ${decision.now}
    where merchant_id = ${decision.merchantId} and approval_id = ${decision.approvalId}
      and status = 'pending' and expires_at >= ${decision.now}`;
  return result.count > 0;
}

/** Locked until the commit. */
export async function holdOwner(tx: Tx, merchantId: string, accountId: string): Promise<boolean> {
  const rows = await tx<{ role: OperatorRole }[]>`
    select role from merchant_operators
    where merchant_id = ${merchantId} and account_id = ${accountId} and joined_at is not null for share`;
  return rows[0]?.role === 'owner';
}

export async function readOwnerEmail(sql: Sql, merchantId: string, accountId: string) {
  const rows = await sql<{ email: string }[]>`
    select email from merchant_operators join accounts using (account_id)
    where merchant_id = ${merchantId} and account_id = ${accountId} and role = 'owner' and joined_at is not null`;
  return rows[0]?.email;
}

interface PayeeToActivate {
  name: string;
  network: string;
  asset: string;
  address: string;
  memo: string | null;
  domain: string | null;
  binding: string | null;
}

/** The payee that would receive payments, and its evidence. */
export async function findPayee(sql: Sql, merchantId: string, versionId: string, evidenceId: string) {
  const rows = await sql<PayeeToActivate[]>`
    select v.name, v.network, v.asset, v.address, v.memo, e.domain, e.binding
    from recipient_versions v
      left join recipient_evidence e on e.evidence_id = ${evidenceId} and e.merchant_id = v.merchant_id
    where v.merchant_id = ${merchantId} and v.recipient_version_id = ${versionId}`;
  return rows[0];
}

export async function findRecipientName(sql: Sql, merchantId: string, recipientId: string) {
  const rows = await sql<{ name: string }[]>`
    select name from recipients where merchant_id = ${merchantId} and recipient_id = ${recipientId}`;
  return rows[0]?.name;
}

export async function findOperator(
  sql: Sql,
  merchantId: string,
  accountId: string,
): Promise<{ email: string; role: OperatorRole } | undefined> {
  const rows = await sql<{ email: string; role: OperatorRole }[]>`
    select a.email, o.role from merchant_operators o join accounts a using (account_id)
    where o.merchant_id = ${merchantId} and o.account_id = ${accountId}`;
  return rows[0];
}

/** With the number of payees that would be suspended. */
export async function findDomainToDelete(
  sql: Sql,
  merchantId: string,
  domainId: string,
): Promise<{ domain: string; payees: number } | undefined> {
  const rows = await sql<{ domain: string; payees: number }[]>`
    select d.domain, (
      select count(*)::int from recipients r
        join recipient_versions v on v.recipient_version_id = r.active_version_id
        join recipient_evidence e on e.evidence_id = v.evidence_id
      where r.merchant_id = d.merchant_id and r.status = 'active' and e.source_id = d.domain_id) as payees
    from domains d
    where d.merchant_id = ${merchantId} and d.domain_id = ${domainId} and d.deleted_at is null`;
  return rows[0];
}
