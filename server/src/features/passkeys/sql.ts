import type { Database, Sql, Tx } from '../../db/open.ts';

export interface PasskeyRow {
  passkey_id: string;
  account_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  backed_up: boolean;
  created_at: Date;
  /** When it becomes effective. */
  effective_at: Date;
  last_used_at: Date | null;
}

export type Purpose = 'registration' | 'step_up' | 'sign_in';

export async function insertChallenge(
  db: Database,
  challenge: { challenge_hash: string; purpose: Purpose; session_id: string | null; expires_at: Date },
): Promise<void> {
  await db`insert into passkey_challenges ${db(challenge)}`;
}

export async function listPasskeys(sql: Sql, accountId: string): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`
    select * from operator_passkeys where account_id = ${accountId}
    order by created_at desc, passkey_id desc`;
}

export async function findByCredential(sql: Sql, credentialId: string): Promise<PasskeyRow | undefined> {
  const rows = await sql<PasskeyRow[]>`
    select * from operator_passkeys where credential_id = ${credentialId}`;
  return rows[0];
}

export interface AccountRow {
  account_id: string;
  email: string;
  created_at: Date;
}

/** Changes of one account's passkeys are serialized. */
export async function lockAccount(tx: Tx, accountId: string): Promise<AccountRow | undefined> {
  const rows = await tx<AccountRow[]>`
    select account_id, email, created_at from accounts where account_id = ${accountId} for no key update`;
  return rows[0];
}

export async function findAccountByEmail(sql: Sql, email: string): Promise<string | undefined> {
  const rows = await sql<{ account_id: string }[]>`select account_id from accounts where email = ${email}`;
  return rows[0]?.account_id;
}

export async function makeEffective(tx: Tx, accountId: string, passkeyId: string, now: Date) {
  const rows = await tx<PasskeyRow[]>`
    update operator_passkeys set effective_at = ${now}
    where account_id = ${accountId} and passkey_id = ${passkeyId} and effective_at > ${now}
    returning *`;
  return rows[0];
}

/** What a mailed link cancels, and its recipient. */
export async function findCancellation(
  sql: Sql,
  tokenHash: string,
  now: Date,
): Promise<{ passkey_id: string; account_id: string; email: string } | undefined> {
  const rows = await sql<{ passkey_id: string; account_id: string; email: string }[]>`
    select c.passkey_id, p.account_id, c.email from passkey_cancellations c join operator_passkeys p using (passkey_id)
    where c.token_hash = ${tokenHash} and c.expires_at > ${now} and p.effective_at > ${now}`;
  return rows[0];
}

export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<PasskeyRow[]> {
  return tx<PasskeyRow[]>`delete from operator_passkeys where account_id = ${accountId} returning *`;
}

export async function findEmail(sql: Sql, accountId: string): Promise<string | undefined> {
  const rows = await sql<{ email: string }[]>`select email from accounts where account_id = ${accountId}`;
  return rows[0]?.email;
}

export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<void> {
  await tx`insert into operator_passkeys ${tx({ ...row })}`;
}

export async function deletePasskey(
  tx: Tx,
  accountId: string,
  passkeyId: string,
): Promise<PasskeyRow | undefined> {
  const rows = await tx<PasskeyRow[]>`
    delete from operator_passkeys where account_id = ${accountId} and passkey_id = ${passkeyId} returning *`;
  return rows[0];
}

/** False when another response with this counter or a higher one came in between: there are two copies of this key. */
export async function noteUse(
  tx: Tx,
  passkeyId: string,
  use: { counter: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  const result = await tx`
    update operator_passkeys
    set counter = ${use.counter}, backed_up = ${use.backedUp}, last_used_at = ${use.now}
    where passkey_id = ${passkeyId} and (counter < ${use.counter} or (counter = 0 and ${use.counter} = 0))`;
  return result.count > 0;
}

export async function markSteppedUp(tx: Tx, sessionId: string, effectiveAt: Date, now: Date): Promise<void> {
  await tx`
    update merchant_sessions set stepped_up_at = ${now}, passkey_effective_at = ${effectiveAt}
    where session_id = ${sessionId}`;
}

/** Every organization of the account. */
export async function listOrganizations(
  sql: Sql,
  accountId: string,
): Promise<{ merchant_id: string; name: string }[]> {
  return sql<{ merchant_id: string; name: string }[]>`
    select merchant_id, name from merchant_operators join merchants using (merchant_id)
    where account_id = ${accountId} and joined_at is not null
    order by merchant_id`;
}
