import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { FIXED_CAPS } from '../../limits.ts';
import { recordAudit } from '../audit/record.ts';
import { completeRecovery } from '../merchant-accounts/sessions.ts';
import { grantEntry } from '../merchant-accounts/verify-email.ts';
import { announce, isEffective } from './announce.ts';
import { type NewPasskey, passkeyInvalid } from './ceremony.ts';
import {
  type AccountRow,
  deletePasskey,
  findByCredential,
  insertPasskey,
  listPasskeys,
  lockAccount,
  markSteppedUp,
  noteUse,
  type PasskeyRow,
} from './sql.ts';

const MAX_PASSKEYS = FIXED_CAPS.passkeys.count;

export function refuseTooMany(known: readonly PasskeyRow[]): void {
  if (known.length >= MAX_PASSKEYS)
    throw new AppError('limit_reached', { message: `One operator has ${MAX_PASSKEYS} passkeys at most.` });
}

/** A first passkey waits: one look into a mailbox is not to become control that lasts. */
const FIRST_DELAY_MS = DAY_MS;
/** Nothing hangs on so young an account yet. */
const NEW_ACCOUNT_MS = HOUR_MS;

function effectiveAt(account: AccountRow, known: readonly PasskeyRow[], now: Date): Date {
  const isFirst = !known.some((passkey) => isEffective(passkey, now));
  const isNew = account.created_at > addMs(now, -NEW_ACCOUNT_MS);
  return isFirst && !isNew ? addMs(now, FIRST_DELAY_MS) : now;
}

/** Of two first ones at the same moment the second needs the use of the first, as any later one does. */
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

export interface Use {
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
  await recordAudit(tx, act, {
    merchantId: principal.merchantId,
    type: 'merchant_session.stepped_up',
    actor: { kind: 'operator', id: principal.accountId },
    target: { type: 'merchant_session', id: principal.sessionId },
    details: { passkey_id: used.passkey.passkey_id },
  });
}

export async function signIn(tx: Tx, act: Act, used: Use) {
  await use(tx, act, used);
  const { account_id: accountId, effective_at: passkeyEffectiveAt } = used.passkey;
  return grantEntry(tx, act, { accountId, signedInBy: 'passkey', passkeyEffectiveAt });
}
