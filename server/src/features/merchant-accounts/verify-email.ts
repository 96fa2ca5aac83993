import { parseToken } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { hashSecret } from '../../lib/keys.ts';
import { type Entry, issueSessionGrant } from './grants.ts';
import { findOrInsertAccount, listWorkspaces, lockLinks, spendLinks } from './sql.ts';

/** Exchanges a one-time link. Anyone who holds it reads the mailbox, so the account exists from here on. */
export async function verifyEmail(tx: Tx, act: Act, token: string) {
  if (parseToken(token)?.kind !== 'email_link') throw new AppError('link_invalid');
  const links = await lockLinks(tx, hashSecret(token), act.now);
  if (!links) throw new AppError('link_invalid');
  // Using one link ends the others.
  await spendLinks(tx, links.tokenHashes, act.now);
  const accountId = await findOrInsertAccount(tx, act.newId('acc'), links.email, act.now);
  if (accountId === undefined) throw new Error('an account was neither made nor found');
  return grantEntry(tx, act, { accountId, signedInBy: 'mail', passkeyEffectiveAt: null });
}

/** Anyone who has proved to be this operator may enter one of its organizations, or found one. */
export async function grantEntry(tx: Tx, act: Act, entry: Entry) {
  return issueSessionGrant(tx, act, entry, await listWorkspaces(tx, entry.accountId));
}
