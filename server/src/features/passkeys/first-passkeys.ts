import { parseToken } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, OperatorError } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { hashSecret } from '../../lib/keys.ts';
import { type AuditActor, auditActor, INSTALLATION } from '../audit/record.ts';
import { endAllSessions } from '../merchant-accounts/sessions.ts';
import { isSecondPerson, listSettledOwners } from '../owners/owners.ts';
import { announce, isEffective } from './announce.ts';
import {
  deletePasskey,
  deletePasskeysOf,
  findAccountByEmail,
  findCancellation,
  findEmail,
  findTeamPasskey,
  listOrganizations,
  lockAccount,
  makeEffective,
  type PasskeyRow,
} from './sql.ts';

/**
 * Another owner vouches for a first passkey. The passkey counts in every organization of its operator: anyone could
 * found one more and vouch there, so an owner of all of them is needed.
 */
export async function confirmPasskey(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  passkeyId: string,
): Promise<PasskeyRow> {
  const found = await findTeamPasskey(tx, principal.merchantId, passkeyId);
  const account = found && (await lockAccount(tx, found.account_id));
  if (!account) throw notFound();
  for (const { merchant_id: merchantId } of await listOrganizations(tx, account.account_id)) {
    const owners = await listSettledOwners(tx, merchantId, act.now);
    if (!isSecondPerson(owners, principal.accountId, account.email)) throw notVouchedFor();
  }
  if (isEffective(found, act.now)) return found;
  const row = await makeEffective(tx, account.account_id, passkeyId, act.now);
  if (!row) throw notFound();
  await announce(tx, act, row, {
    type: 'passkey.confirmed',
    change: 'passkey_confirmed',
    email: account.email,
    actor: auditActor(principal),
    facts: [['Confirmed by', (await findEmail(tx, principal.accountId)) ?? principal.accountId]],
  });
  return row;
}

function notVouchedFor(): AppError {
  return new AppError('second_person_required', {
    message:
      'Another person confirms a first passkey: an owner of every organization that its operator works for, for a day at least. Otherwise it is effective after 24 hours.',
  });
}

/** Anyone who reads the mail of one owner can do this much: the operator begins again, and nothing else is lost. */
export async function cancelPasskey(tx: Tx, act: Act, token: string): Promise<void> {
  if (parseToken(token)?.kind !== 'passkey_cancellation') throw new AppError('link_invalid');
  const found = await findCancellation(tx, hashSecret(token), act.now);
  if (!found) throw new AppError('link_invalid');
  const { account_id: accountId, passkey_id: passkeyId, email: cancelledBy } = found;
  const ownerId = (await findAccountByEmail(tx, cancelledBy)) ?? accountId;
  const actor: AuditActor = { kind: 'operator', id: ownerId };
  // Sessions before the account, as in a sign-out everywhere.
  await endAllSessions(tx, act, { accountId, actor, target: { type: 'passkey', id: passkeyId } });
  const account = await lockAccount(tx, accountId);
  const still = await findCancellation(tx, hashSecret(token), act.now);
  const row = still && (await deletePasskey(tx, accountId, passkeyId));
  if (!account || !row) throw new AppError('link_invalid');
  await announce(tx, act, row, {
    type: 'passkey.cancelled',
    change: 'passkey_cancelled',
    email: account.email,
    actor,
    facts: [['Cancelled by', cancelledBy]],
  });
}

export interface ResetOutcome {
  operator_id: string;
  email: string;
  /** How many passkeys were removed. */
  passkeys: number;
}

/** The way out for an operator whose passkeys are lost, or are not theirs, by the one who runs the service. */
export async function resetPasskeys(tx: Tx, act: Act, address: string): Promise<ResetOutcome> {
  const email = address.trim().toLowerCase();
  const accountId = await findAccountByEmail(tx, email);
  if (accountId === undefined) throw new OperatorError(`There is no operator with the address ${email}.`);
  const ending = { accountId, actor: INSTALLATION, target: { type: 'operator', id: accountId } } as const;
  await endAllSessions(tx, act, ending);
  await lockAccount(tx, accountId);
  const removed = await deletePasskeysOf(tx, accountId);
  for (const row of removed)
    await announce(tx, act, row, {
      type: 'passkey.reset',
      change: 'passkeys_reset',
      email,
      actor: INSTALLATION,
    });
  return { operator_id: accountId, email, passkeys: removed.length };
}
