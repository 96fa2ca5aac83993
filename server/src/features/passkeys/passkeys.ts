import { type AuditEventType, parseToken } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, limitReached, notFound, OperatorError } from '../../errors.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { FIXED_CAPS } from '../../limits.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { type AuditActor, audit, auditActor, INSTALLATION, recordAudit } from '../audit/record.ts';
import { grantEntry } from '../merchant-accounts/grants.ts';
import { completeRecovery, endAllSessions } from '../merchant-accounts/sessions.ts';
import { type AccessChange, type Fact, mailName, queueAccessMail } from '../notices/queue.ts';
import { isSecondPerson, listEstablishedOwners } from '../owners/owners.ts';
import { type NewPasskey, passkeyInvalid } from './ceremony.ts';
import {
  type AccountRow,
  deletePasskey,
  deletePasskeysOf,
  findAccountByEmail,
  findByCredential,
  findCancellation,
  findEmail,
  insertPasskey,
  listOrganizations,
  listPasskeys,
  lockAccount,
  makeEffective,
  markSteppedUp,
  noteUse,
  type PasskeyRow,
} from './sql.ts';

const MAX_PASSKEYS = FIXED_CAPS.passkeys.count;

export function refuseTooMany(known: readonly PasskeyRow[]): void {
  if (known.length >= MAX_PASSKEYS)
    throw limitReached(`A team member has at most ${MAX_PASSKEYS} passkeys: remove one first.`, MAX_PASSKEYS);
}

/** A first passkey waits: one-time access to a mailbox must not become lasting control. */
const FIRST_DELAY_MS = DAY_MS;
/** Nothing depends on so young an account yet. */
const NEW_ACCOUNT_MS = HOUR_MS;

function effectiveAt(account: AccountRow, known: readonly PasskeyRow[], now: Date): Date {
  const isFirst = !known.some((passkey) => isEffective(passkey, now));
  const isNew = account.created_at > addMs(now, -NEW_ACCOUNT_MS);
  return isFirst && !isNew ? addMs(now, FIRST_DELAY_MS) : now;
}

/** Of two concurrent first ones the second needs the use of the first, like any later one. */
export async function registerPasskey(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { name, credential }: { name: string; credential: NewPasskey },
): Promise<PasskeyRow> {
  const { accountId, factors } = principal;
  const account = await lockAccount(tx, accountId);
  const known = await listPasskeys(tx, accountId);
  refuseTooMany(known);
  if (!factors.hasPasskey && known.some((passkey) => isEffective(passkey, act.now)))
    throw new AppError('step_up_required');
  if (!account || (await findByCredential(tx, credential.credentialId)))
    throw passkeyInvalid('passkey_known_already');
  const row: PasskeyRow = {
    passkey_id: act.newId('psk'),
    account_id: accountId,
    credential_id: credential.credentialId,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports,
    name,
    backed_up: credential.backedUp,
    created_at: act.now,
    effective_at: effectiveAt(account, known, act.now),
    last_used_at: null,
  };
  await insertPasskey(tx, row);
  if (factors.hasPasskey && factors.recoversAt && !factors.steppedUpAt) await completeRecovery(tx, accountId);
  const isPending = !isEffective(row, act.now);
  await announce(tx, act, row, {
    type: 'passkey.registered',
    change: isPending ? 'passkey_pending' : 'passkey_registered',
    email: account.email,
    ...(isPending
      ? { facts: [['Effective from', row.effective_at.toISOString()]], isCancellable: true }
      : {}),
  });
  return row;
}

export async function removePasskey(
  tx: Tx,
  act: Act,
  { accountId }: MerchantPrincipal,
  passkeyId: string,
): Promise<PasskeyRow> {
  const account = await lockAccount(tx, accountId);
  const row = await deletePasskey(tx, accountId, passkeyId);
  if (!account || !row) throw notFound();
  await announce(tx, act, row, {
    type: 'passkey.removed',
    change: 'passkey_removed',
    email: account.email,
  });
  return row;
}

interface Use {
  passkey: PasskeyRow;
  counter: number;
  backedUp: boolean;
}

async function use(tx: Tx, act: Act, { passkey, counter, backedUp }: Use): Promise<void> {
  if (!(await noteUse(tx, passkey.passkey_id, { counter, backedUp, now: act.now })))
    throw passkeyInvalid('counter');
}

/** A running recovery continues: this passkey may be the thief's. Signing out everywhere ends it, with a mail. */
export async function stepUp(tx: Tx, act: Act, principal: MerchantPrincipal, used: Use): Promise<void> {
  // Sessions before passkeys, as in a sign-out everywhere.
  await markSteppedUp(tx, principal.sessionId, used.passkey.effective_at, act.now);
  await use(tx, act, used);
  await audit(
    tx,
    act,
    { kind: 'operator', id: principal.accountId },
    principal.merchantId,
    'merchant_session.stepped_up',
    principal.sessionId,
    { passkey_id: used.passkey.passkey_id },
  );
}

export async function signIn(tx: Tx, act: Act, used: Use) {
  await use(tx, act, used);
  const { account_id: accountId, effective_at: passkeyEffectiveAt } = used.passkey;
  return grantEntry(tx, act, { accountId, signedInBy: 'passkey', passkeyEffectiveAt });
}

/**
 * Another owner confirms a first passkey. The passkey counts in every organization of its account: an attacker could
 * create another one and confirm there, so an owner of all of them is needed.
 */
export async function confirmPasskey(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  passkeyId: string,
): Promise<PasskeyRow> {
  // A passkey of a team member of this organization.
  const [found] = await tx<PasskeyRow[]>`
    select p.* from operator_passkeys p join merchant_operators o using (account_id)
    where p.passkey_id = ${passkeyId} and o.merchant_id = ${principal.merchantId} and o.joined_at is not null`;
  const account = found && (await lockAccount(tx, found.account_id));
  if (!account) throw notFound();
  for (const { merchant_id: merchantId } of await listOrganizations(tx, account.account_id)) {
    const owners = await listEstablishedOwners(tx, merchantId, act.now);
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

/** Access to the mailbox of one owner is enough for this: the team member starts again, and nothing else is lost. */
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

/** The recovery by the host, for a team member whose passkeys are lost or not theirs. */
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

/** One that counts from its registration counts even for a call that began earlier and was serialized after it. */
export function isEffective(
  { created_at, effective_at }: Pick<PasskeyRow, 'created_at' | 'effective_at'>,
  now: Date,
): boolean {
  return effective_at <= now || effective_at <= created_at;
}

interface PasskeyChange {
  type: Extract<AuditEventType, `passkey.${string}`>;
  change: AccessChange;
  /** Of the passkey's account. */
  email: string;
  /** The account's owner when absent. */
  actor?: AuditActor;
  facts?: readonly Fact[];
  /** The mail has a link that cancels it. */
  isCancellable?: boolean;
}

/** A passkey counts in every organization of its account, so each of them records it and gets the mail. */
async function announce(
  tx: Tx,
  act: Act,
  row: Pick<PasskeyRow, 'account_id' | 'passkey_id' | 'name'>,
  { type, change, email, actor, facts = [], isCancellable = false }: PasskeyChange,
): Promise<void> {
  for (const { merchant_id: merchantId, name } of await listOrganizations(tx, row.account_id)) {
    await recordAudit(tx, act, {
      merchantId,
      type,
      actor: actor ?? { kind: 'operator', id: row.account_id },
      target: { type: 'passkey', id: row.passkey_id },
      details: { name: row.name, operator_id: row.account_id },
    });
    const notice = {
      merchant_name: name,
      change,
      facts: [['Operator', email], ['Passkey', mailName(row.name)], ...facts],
      ...(isCancellable ? { passkey_id: row.passkey_id } : {}),
    } as const;
    await queueAccessMail(tx, act, merchantId, notice, [email]);
  }
}
