import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { recordAudit } from '../audit/record.ts';
import { forgetRecovery } from '../merchant-accounts/recovery.ts';
import { grantEntry } from '../merchant-accounts/verify-email.ts';
import { type AccessChange, queueAccessMail } from '../notices/queue.ts';
import { type NewPasskey, passkeyInvalid } from './ceremony.ts';
import {
  deletePasskey,
  findByCredential,
  insertPasskey,
  listOrganizations,
  listPasskeys,
  lockAccount,
  markSteppedUp,
  noteUse,
  type PasskeyRow,
} from './sql.ts';

const MAX_PASSKEYS = 20;

export function refuseTooMany(known: readonly PasskeyRow[]): void {
  if (known.length >= MAX_PASSKEYS)
    throw new AppError('limit_reached', { message: `One operator has ${MAX_PASSKEYS} passkeys at most.` });
}

/** Of two first ones at the same moment the second needs the use of the first, as any later one does. */
export async function registerPasskey(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  { name, credential }: { name: string; credential: NewPasskey },
): Promise<PasskeyRow> {
  const { accountId } = principal;
  const account = await lockAccount(tx, accountId);
  const known = await listPasskeys(tx, accountId);
  refuseTooMany(known);
  if (!principal.factors.hasPasskey && known.length > 0) throw new AppError('step_up_required');
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
    last_used_at: null,
  };
  await insertPasskey(tx, row);
  await announce(tx, act, row, account.email, 'passkey.registered', 'passkey_registered');
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
  await announce(tx, act, row, account.email, 'passkey.removed', 'passkey_removed');
  return row;
}

/** A passkey counts in every organization of its operator, so each of them has it on record and is told. */
async function announce(
  tx: Tx,
  act: Act,
  row: PasskeyRow,
  email: string,
  type: 'passkey.registered' | 'passkey.removed',
  change: AccessChange,
): Promise<void> {
  for (const { merchant_id: merchantId, name } of await listOrganizations(tx, row.account_id)) {
    await recordAudit(tx, act, {
      merchantId,
      type,
      actor: { kind: 'operator', id: row.account_id },
      target: { type: 'passkey', id: row.passkey_id },
      details: { name: row.name },
    });
    const facts = [
      ['Operator', email],
      ['Passkey', row.name],
    ] as const;
    await queueAccessMail(tx, act, merchantId, { merchant_name: name, change, facts }, [email]);
  }
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

export async function stepUp(tx: Tx, act: Act, principal: MerchantPrincipal, used: Use): Promise<void> {
  await use(tx, act, used);
  await markSteppedUp(tx, principal.sessionId, act.now);
  // After the session, as in a sign-out everywhere.
  await forgetRecovery(tx, principal.accountId);
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
  await forgetRecovery(tx, used.passkey.account_id);
  return grantEntry(tx, act, used.passkey.account_id, 'passkey');
}
