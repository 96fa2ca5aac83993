import type { ApprovalAct, OperatorRole } from '@payassent/protocol';
import type { Approval } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError, impossibleMove, limitReached } from '../../errors.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { FIXED_CAPS } from '../../limits.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { readMerchant } from '../merchants/merchant.ts';
import {
  type AccessChange,
  type ApprovalDetail,
  type Fact,
  mailName,
  queueAccessMail,
} from '../notices/queue.ts';
import { isSamePerson } from '../owners/owners.ts';
import {
  countPending,
  decide,
  findDomainToDelete,
  findOperator,
  findPayee,
  findRecipientName,
  holdOwner,
  insertApproval,
  readOwnerEmail,
} from './sql.ts';
import { type ApprovalRow, statusAt } from './view.ts';

const MAX_PENDING = FIXED_CAPS.approvals.count;

/** The call waits a day for another owner. */
export async function askForApproval(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  kept: { call: string; params: Readonly<Record<string, string>>; body: Record<string, unknown> },
  { act: what, target, details }: Described,
): Promise<ApprovalRow> {
  const { merchantId, accountId } = principal;
  const email = await readOwnerEmail(tx, merchantId, accountId);
  if (email === undefined) throw new AppError('insufficient_role', { details: { required_role: 'owner' } });
  if ((await countPending(tx, merchantId, act.now)) >= MAX_PENDING)
    throw limitReached(
      `At most ${MAX_PENDING} changes may wait for a second owner: approve or reject some first.`,
      MAX_PENDING,
    );
  const row = {
    approval_id: act.newId('apr'),
    merchant_id: merchantId,
    act: what,
    call: kept.call,
    params: { ...kept.params },
    body: kept.body,
    target_type: target.type,
    target_id: target.id,
    details,
    requested_by: accountId,
    created_at: act.now,
    expires_at: addMs(act.now, DAY_MS),
    status: 'pending',
  } as const;
  await insertApproval(tx, row);
  const asked = {
    ...row,
    requested_by_email: email,
    decided_by: null,
    decided_by_email: null,
    decided_at: null,
  };
  await record(tx, act, principal, asked, 'approval.requested');
  await tell(tx, act, asked, 'approval_requested', []);
  return asked;
}

/** Why this owner cannot decide: it is decided already, or the same person requested it. */
export async function refuseDecision(
  sql: Sql,
  row: ApprovalRow,
  { merchantId, accountId }: MerchantPrincipal,
  to: 'approved' | 'rejected',
  now: Date,
): Promise<void> {
  const from = statusAt(row, now);
  if (from !== 'pending') throw impossibleMove([from, to], [], `This approval is ${from} already.`);
  const email = await readOwnerEmail(sql, merchantId, accountId);
  if (row.requested_by === accountId || (email !== undefined && isSamePerson(email, row.requested_by_email)))
    throw new AppError('second_person_required');
}

/** The last step of an approved or rejected call: in its transaction, by an owner, once and in time. */
export async function closeApproval(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  row: ApprovalRow,
  status: 'approved' | 'rejected',
): Promise<void> {
  const { merchantId, accountId } = principal;
  const email = (await readOwnerEmail(tx, merchantId, accountId)) ?? '';
  // An owner who approves the end of their own role is no owner any more at this point.
  const concernsDecider = row.target_type === 'operator' && row.target_id === accountId;
  if (!concernsDecider && !(await holdOwner(tx, merchantId, accountId)))
    throw new AppError('insufficient_role', { details: { required_role: 'owner' } });
  const decision = { merchantId, approvalId: row.approval_id, status, decidedBy: accountId, now: act.now };
  if (!(await decide(tx, decision)))
    throw impossibleMove(
      ['decided', status],
      [],
      'This approval was decided by someone else, or it has expired.',
    );
  await record(tx, act, principal, row, status === 'approved' ? 'approval.approved' : 'approval.rejected');
  const change = status === 'approved' ? 'approval_approved' : 'approval_rejected';
  await tell(tx, act, row, change, [['Decided by', email === '' ? accountId : email]]);
}

async function record(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  row: ApprovalRow,
  type: 'approval.requested' | 'approval.approved' | 'approval.rejected',
): Promise<void> {
  await recordAudit(tx, act, {
    merchantId: row.merchant_id,
    type,
    actor: auditActor(principal),
    target: { type: 'approval', id: row.approval_id },
    details: {
      act: row.act,
      target: { type: row.target_type, id: row.target_id },
      requested_by: row.requested_by,
      ...(type === 'approval.requested' ? {} : { decided_by: principal.accountId }),
    },
  });
}

/** Names are quoted and judged as in every mail. */
function factsOf(key: ApprovalDetail, value: unknown): Fact[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') {
    const { from, to } = value as { from?: OperatorRole; to: OperatorRole };
    return [...(from === undefined ? [] : [['Previous role', from] as const]), ['Role', to]];
  }
  return [[key, key === 'name' || key === 'new_name' ? mailName(String(value)) : String(value)]];
}

async function tell(
  tx: Tx,
  act: Act,
  row: ApprovalRow,
  change: AccessChange,
  more: readonly Fact[],
): Promise<void> {
  const { name } = await readMerchant(tx, row.merchant_id);
  const facts = [
    ['Change', row.act],
    ['Requested by', row.requested_by_email],
    ...Object.entries(row.details).flatMap(([key, value]) => factsOf(key as ApprovalDetail, value)),
    ...more,
    ['Approval', row.approval_id],
  ] as const;
  await queueAccessMail(tx, act, row.merchant_id, { merchant_name: name, change, facts }, [
    row.requested_by_email,
  ]);
}

/** The description shown to the second owner. */
interface Described {
  act: ApprovalAct;
  target: Approval['target'];
  details: Details;
}

type Details = Partial<Record<ApprovalDetail, unknown>>;

interface Asked {
  sql: Sql;
  merchantId: string;
  params: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}

/** By the name of the call in the table of roles. */
const ACTS: Record<string, (asked: Asked) => Promise<Described>> = {
  'POST /v1/recipients/{}/versions/{}/activate': async ({ sql, merchantId, params, body }) => {
    const { id = '', recipient_version_id: versionId = '' } = params;
    const payee = await findPayee(sql, merchantId, versionId, String(body['evidence_id']));
    return {
      act: 'recipient.activate',
      target: { type: 'recipient', id },
      details: { recipient_version_id: versionId, ...payee, pending: body['pending'] ?? 'keep' },
    };
  },
  'PATCH /v1/recipients/{}': async ({ sql, merchantId, params: { id = '' }, body }) => ({
    act: 'recipient.archive',
    target: { type: 'recipient', id },
    details: {
      name: await findRecipientName(sql, merchantId, id),
      ...sent(body, { name: 'new_name' }),
      pending: body['pending'] ?? 'keep',
    },
  }),
  'POST /v1/merchant-operators': async ({ body }) => {
    const email = String(body['email']).toLowerCase();
    return {
      act: 'operator.invite',
      target: { type: 'operator', id: email },
      details: { email, role: body['role'] },
    };
  },
  'PATCH /v1/merchant-operators/{}': async ({ sql, merchantId, params: { id = '' }, body }) => {
    const operator = await findOperator(sql, merchantId, id);
    return {
      act: 'operator.change_role',
      target: { type: 'operator', id },
      details: { email: operator?.email, role: { from: operator?.role, to: body['role'] } },
    };
  },
  'DELETE /v1/merchant-operators/{}': async ({ sql, merchantId, params: { id = '' } }) => ({
    act: 'operator.remove',
    target: { type: 'operator', id },
    details: { ...(await findOperator(sql, merchantId, id)) },
  }),
  'DELETE /v1/merchant-domains/{}': async ({ sql, merchantId, params: { id = '' } }) => ({
    act: 'domain.delete',
    target: { type: 'domain', id },
    details: { ...(await findDomainToDelete(sql, merchantId, id)) },
  }),
  'PATCH /v1/merchants/current': async ({ merchantId, body }) => ({
    act: 'merchant.four_eyes_off',
    target: { type: 'merchant', id: merchantId },
    details: sent(body, { name: 'new_name', require_payee_binding: 'require_payee_binding' }),
  }),
};

/** The other changes of the same call: the decider sees all of them. */
function sent(
  body: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, ApprovalDetail>>,
): Details {
  const members = Object.entries(names).filter(([member]) => body[member] !== undefined);
  return Object.fromEntries(members.map(([member, name]) => [name, body[member]]));
}

export function describe(call: string, asked: Asked): Promise<Described> {
  const act = ACTS[call];
  if (!act) throw new Error(`${call} needs a second owner, but has no description`);
  return act(asked);
}
