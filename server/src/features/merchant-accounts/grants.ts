import { parseToken, type SignInMethod } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { addMs } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { GRANT_LIFE_MS } from './lifetimes.ts';
import {
  findOrInsertAccount,
  listWorkspaces,
  lockLinks,
  spendGrant,
  spendLinks,
  type WorkspaceRow,
} from './sql.ts';

export interface IssuedGrant {
  token: string;
  expiresAt: Date;
}

/** What was proved by whom, and when. */
export interface SignedIn {
  accountId: string;
  signedInBy: SignInMethod;
  signedInAt: Date;
  /** When the used passkey became effective; null without one. */
  passkeyEffectiveAt: Date | null;
}

type Entry = Omit<SignedIn, 'signedInAt'>;

const CHOICE_BYTES = 16;

/** Lets its holder enter one of the account's organizations, or create one. */
export async function issueSessionGrant(
  tx: Tx,
  act: Act,
  entry: Entry,
  workspaces: readonly WorkspaceRow[],
): Promise<IssuedGrant & { choices: { choiceId: string; workspace: WorkspaceRow }[] }> {
  // A choice is valid only together with its grant, so it reveals nothing about the organization.
  const choices = workspaces.map((workspace) => ({
    choiceId: `choice_${Buffer.from(act.randomBytes(CHOICE_BYTES)).toString('base64url')}`,
    workspace,
  }));
  const stored = choices.map(({ choiceId, workspace }) => [hashSecret(choiceId), workspace.merchant_id]);
  const grant = await issue(tx, act, entry, null, Object.fromEntries(stored) as Record<string, string>);
  return { ...grant, choices };
}

/** Lets its holder enter exactly this organization. */
export async function issueNextGrant(
  tx: Tx,
  act: Act,
  entry: Entry,
  merchantId: string,
): Promise<IssuedGrant> {
  return issue(tx, act, entry, merchantId, {});
}

async function issue(
  tx: Tx,
  act: Act,
  { accountId, signedInBy, passkeyEffectiveAt }: Entry,
  merchantId: string | null,
  choices: Record<string, string>,
): Promise<IssuedGrant> {
  const token = act.newToken('session_grant');
  const expiresAt = addMs(act.now, GRANT_LIFE_MS);
  await tx`insert into session_grants ${tx({
    token_hash: hashSecret(token),
    account_id: accountId,
    merchant_id: merchantId,
    choices: tx.json(choices),
    signed_in_by: signedInBy,
    passkey_effective_at: passkeyEffectiveAt,
    created_at: act.now,
    expires_at: expiresAt,
  })}`;
  return { token, expiresAt };
}

/** Spent when the transaction commits: after a failure the grant is unchanged. */
export async function spendSessionGrant(
  tx: Tx,
  act: Act,
  token: string,
): Promise<SignedIn & { merchantIdOf(choiceId: string): string }> {
  const grant = await spend(tx, act, token, 'session');
  return {
    accountId: grant.account_id,
    signedInBy: grant.signed_in_by,
    signedInAt: grant.created_at,
    passkeyEffectiveAt: grant.passkey_effective_at,
    merchantIdOf(choiceId) {
      const hash = hashSecret(choiceId);
      const merchantId = Object.hasOwn(grant.choices, hash) ? grant.choices[hash] : undefined;
      if (merchantId === undefined) throw new AppError('grant_invalid');
      return merchantId;
    },
  };
}

export async function spendNextGrant(
  tx: Tx,
  act: Act,
  token: string,
): Promise<SignedIn & { merchantId: string }> {
  const grant = await spend(tx, act, token, 'next');
  if (grant.merchant_id === null) throw new AppError('grant_invalid');
  return {
    accountId: grant.account_id,
    merchantId: grant.merchant_id,
    signedInBy: grant.signed_in_by,
    signedInAt: grant.created_at,
    passkeyEffectiveAt: grant.passkey_effective_at,
  };
}

async function spend(tx: Tx, act: Act, token: string, kind: 'session' | 'next') {
  if (parseToken(token)?.kind !== 'session_grant') throw new AppError('grant_invalid');
  const grant = await spendGrant(tx, hashSecret(token), kind, act.now);
  if (!grant) throw new AppError('grant_invalid');
  return grant;
}

/** Exchanges a one-time link. Its holder can read the mailbox, so the account exists from here on. */
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

/** A caller with this proved identity may enter one of the account's organizations, or create one. */
export async function grantEntry(tx: Tx, act: Act, entry: Entry) {
  return issueSessionGrant(tx, act, entry, await listWorkspaces(tx, entry.accountId));
}
