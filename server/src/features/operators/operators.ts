import type { OperatorRole } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, limitReached, notFound } from '../../errors.ts';
import { FIXED_CAPS } from '../../limits.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { mailName, queueAccessMail, queueInvitation } from '../notices/queue.ts';
import { countOwners } from '../owners/owners.ts';
import { type ApiKeyRow, livingKeysOf } from '../project-access/api-keys.ts';
import {
  countOperators,
  deleteOperator,
  endSessionsOf,
  findOperator,
  findOperatorByEmail,
  findOrInsertAccount,
  type OperatorRow,
  type PendingPasskeyRow,
  setRole,
} from './sql.ts';

export type { OperatorRow, PendingPasskeyRow };

const MAX_OPERATORS = FIXED_CAPS.operators.count;

interface Begun {
  merchantName: string;
  /** Of the caller. */
  email: string;
  /** Where every change needs two owners, one alone could never change anything again. */
  minOwners: number;
}

/**
 * The first step of every change of team members: serializes it with the others, and checks the caller against the
 * result of the previous one.
 */
async function begin(tx: Tx, principal: MerchantPrincipal): Promise<Begun> {
  // Changes of team members of one organization are serialized: each counts owners that no concurrent call is about to
  // change. Not an exclusive lock, so that references to the organization continue.
  const [merchant] = await tx<{ name: string; four_eyes: boolean }[]>`
    select name, four_eyes from merchants where merchant_id = ${principal.merchantId} for no key update`;
  const caller = await findOperator(tx, principal.merchantId, principal.accountId);
  if (!merchant || !caller) throw new AppError('token_revoked');
  if (caller.role !== 'owner')
    throw new AppError('insufficient_role', { details: { required_role: 'owner' } });
  return { merchantName: merchant.name, email: caller.email, minOwners: merchant.four_eyes ? 2 : 1 };
}

export async function inviteOperator(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { email, role, requestedFrom }: { email: string; role: OperatorRole; requestedFrom: string },
): Promise<{ operator: OperatorRow; isNew: boolean }> {
  const { merchantId } = principal;
  const { merchantName, email: invitedBy } = await begin(tx, principal);
  const known = await findOperatorByEmail(tx, merchantId, email);
  if (known && known.role !== role)
    throw new AppError('invalid_status_transition', {
      message: `${email} is an operator with the role ${known.role} already. Change the role instead.`,
      details: { from: known.role, to: role, allowed: [], operator_id: known.account_id },
    });
  const invitation = {
    email,
    requestedFrom,
    notice: { merchant_name: merchantName, role, invited_by: invitedBy },
  };
  if (known) {
    if (!known.joined_at) await queueInvitation(tx, act, invitation);
    return { operator: known, isNew: false };
  }
  if ((await countOperators(tx, merchantId)) >= MAX_OPERATORS)
    throw limitReached(
      `An organization has at most ${MAX_OPERATORS} team members: remove one first.`,
      MAX_OPERATORS,
    );
  const accountId = await findOrInsertAccount(tx, act.newId('acc'), email, act.now);
  const row = { merchant_id: merchantId, account_id: accountId, role, created_at: act.now };
  await tx`insert into merchant_operators ${tx(row)}`;
  await audit(tx, act, principal, merchantId, 'operator.invited', accountId, { email, role });
  await queueInvitation(tx, act, invitation);
  await queueAccessMail(tx, act, merchantId, {
    merchant_name: merchantName,
    change: 'operator_invited',
    facts: [
      ['Operator', email],
      ['Role', role],
      ['Invited by', invitedBy],
    ],
  });
  return {
    operator: { account_id: accountId, email, role, created_at: act.now, joined_at: null },
    isNew: true,
  };
}

/** The same role again changes nothing. */
export async function changeRole(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  accountId: string,
  role: OperatorRole,
): Promise<OperatorRow> {
  const { merchantId } = principal;
  const { merchantName, email: changedBy, minOwners } = await begin(tx, principal);
  const before = await findOperator(tx, merchantId, accountId);
  if (!before) throw notFound();
  if (before.role === role) return before;
  await refuseWithoutOwner(tx, merchantId, before, minOwners);
  await setRole(tx, merchantId, accountId, role, act.now);
  await audit(tx, act, principal, merchantId, 'operator.role_changed', accountId, {
    email: before.email,
    role: { from: before.role, to: role },
  });
  const facts = [
    ['Operator', before.email],
    ['Previous role', before.role],
    ['Role', role],
    ['Changed by', changedBy],
  ] as const;
  const notice = { merchant_name: merchantName, change: 'operator_role_changed', facts } as const;
  await queueAccessMail(tx, act, merchantId, notice, [before.email]);
  return { ...before, role };
}

/** Agents may depend on the keys that the team member created, so those are listed and not revoked. */
export async function removeOperator(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  accountId: string,
): Promise<{ operator: OperatorRow; keys: ApiKeyRow[] }> {
  const { merchantId } = principal;
  const { merchantName, email: removedBy, minOwners } = await begin(tx, principal);
  const operator = await findOperator(tx, merchantId, accountId);
  if (!operator) throw notFound();
  await refuseWithoutOwner(tx, merchantId, operator, minOwners);
  await deleteOperator(tx, merchantId, accountId);
  const ended = await endSessionsOf(tx, merchantId, accountId, act.now);
  const keys = await livingKeysOf(tx, merchantId, accountId);
  await audit(tx, act, principal, merchantId, 'operator.removed', accountId, {
    email: operator.email,
    role: operator.role,
    ...ended,
    api_keys: keys.length,
  });
  const facts = [
    ['Operator', operator.email],
    ['Role', operator.role],
    ['Removed by', removedBy],
    ...keys.map((key) => ['API key', `${mailName(key.name)} (${key.api_key_id})`] as const),
  ] as const;
  const notice = { merchant_name: merchantName, change: 'operator_removed', facts } as const;
  await queueAccessMail(tx, act, merchantId, notice, operator.joined_at ? [operator.email] : []);
  return { operator, keys };
}

/** Called before an owner is lowered or removed. */
async function refuseWithoutOwner(
  tx: Tx,
  merchantId: string,
  leaving: OperatorRow,
  minOwners: number,
): Promise<void> {
  if (leaving.role !== 'owner' || !leaving.joined_at) return;
  const remaining = await countOwners(tx, merchantId, { accountId: leaving.account_id });
  if (remaining < minOwners) throw new AppError('last_owner');
}
