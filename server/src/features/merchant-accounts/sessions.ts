import type { Language } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, merchantSuspended, notFound } from '../../errors.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { hashSecret, type Keys } from '../../lib/keys.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import {
  type AuditActor,
  type AuditEntry,
  audit,
  auditActor,
  recordAudit,
  type Trace,
} from '../audit/record.ts';
import { readMerchant } from '../merchants/merchant.ts';
import type { MerchantRow } from '../merchants/view.ts';
import { queueAccessMail } from '../notices/queue.ts';
import { csrfTokenOf } from './cookies.ts';
import { type SignedIn, spendNextGrant, spendSessionGrant } from './grants.ts';
import { networkHash, rememberNetwork } from './known-networks.ts';
import { SESSION_LIFE_MS } from './lifetimes.ts';
import {
  endAdminSessions,
  endApiKeysInDoubt,
  endRecovery,
  endSessionRow,
  endSessionRowsOf,
  noteRecovery,
  readSession,
} from './session-sql.ts';
import {
  endGrants,
  holdMembership,
  listWorkspaces,
  type MembershipRow,
  markJoined,
  noteLanguage,
  readMembership,
} from './sql.ts';
import type { SessionFacts } from './view.ts';

interface OpenSessionInput {
  next_grant?: string;
  session_grant?: string;
  choice_id?: string;
  /** Undefined where the call named none of the languages of the mails. */
  language: Language | undefined;
}

export async function openSession(tx: Tx, act: Act, keys: Keys, input: OpenSessionInput, trace: Trace) {
  const signedIn = await spend(tx, act, input);
  const { accountId, merchantId } = signedIn;
  const merchant = await readMerchant(tx, merchantId);
  if (merchant.suspended_at) throw merchantSuspended();
  const membership = await enter(tx, act, merchant, accountId);
  if (input.language !== undefined) await noteLanguage(tx, accountId, input.language);
  const token = act.newToken('merchant_session');
  const sessionId = act.newId('ses');
  const expiresAt = addMs(act.now, SESSION_LIFE_MS);
  const recoversAt = await noteMailSignIn(tx, act, signedIn, membership, trace);
  const session = {
    session_id: sessionId,
    token_hash: hashSecret(token),
    account_id: accountId,
    merchant_id: merchantId,
    csrf_key_id: keys.currentKeyId,
    signed_in_by: signedIn.signedInBy,
    ...trace,
    ...steppedUpBy(signedIn),
    recovers_at: recoversAt,
    created_at: act.now,
    last_seen_at: act.now,
    expires_at: expiresAt,
  };
  await tx`insert into merchant_sessions ${tx({ ...session })}`;
  await rememberNetwork(tx, accountId, networkHash(keys, trace.network_address), act.now);
  await audit(
    tx,
    act,
    { kind: 'operator', id: accountId },
    merchantId,
    'merchant_session.created',
    sessionId,
    trace,
  );
  return {
    merchant,
    operator: { accountId, ...membership },
    token,
    csrfToken: csrfTokenOf(keys, { sessionId, csrfKeyId: keys.currentKeyId }),
    session,
  };
}

/** Only a team member gets in; an invited one becomes active by it. */
async function enter(
  tx: Tx,
  act: Act,
  { merchant_id: merchantId, name }: MerchantRow,
  accountId: string,
): Promise<MembershipRow> {
  const membership = await holdMembership(tx, merchantId, accountId);
  if (!membership) throw new AppError('grant_invalid');
  if (membership.joined_at) return membership;
  await markJoined(tx, merchantId, accountId, act.now);
  await audit(tx, act, { kind: 'operator', id: accountId }, merchantId, 'operator.joined', accountId, {
    email: membership.email,
    role: membership.role,
  });
  await queueAccessMail(tx, act, merchantId, {
    merchant_name: name,
    change: 'operator_joined',
    facts: [
      ['Operator', membership.email],
      ['Role', membership.role],
    ],
  });
  return { ...membership, joined_at: act.now };
}

/** A sign-in with a passkey counts as its use in the session, once the passkey is effective. */
function steppedUpBy({ signedInAt, passkeyEffectiveAt }: SignedIn) {
  if (!passkeyEffectiveAt || passkeyEffectiveAt > signedInAt)
    return { stepped_up_at: null, passkey_effective_at: null };
  return { stepped_up_at: signedInAt, passkey_effective_at: passkeyEffectiveAt };
}

async function spend(tx: Tx, act: Act, input: OpenSessionInput) {
  if (input.next_grant !== undefined) return spendNextGrant(tx, act, input.next_grant);
  const grant = await spendSessionGrant(tx, act, input.session_grant ?? '');
  const { merchantIdOf, ...signedIn } = grant;
  return { ...signedIn, merchantId: merchantIdOf(input.choice_id ?? '') };
}

/** After this a wait without a new passkey is deleted: the next sign-in by mail waits a day again. */
const RECOVERY_LIFE_MS = 7 * DAY_MS;

/**
 * The mailbox is the recovery for owners who lost their passkeys, and the entry for an attacker who reads it: every
 * owner gets a mail, and for a day no passkey is accepted. Returns when that day is over.
 */
async function noteMailSignIn(
  tx: Tx,
  act: Act,
  { accountId, signedInBy }: SignedIn,
  { email }: MembershipRow,
  trace: Trace,
): Promise<Date | null> {
  if (signedInBy !== 'mail') return null;
  const lapsed = addMs(act.now, -RECOVERY_LIFE_MS);
  const since = await noteRecovery(tx, accountId, { now: act.now, lapsed });
  if (!since) return null;
  const recoversAt = addMs(since, DAY_MS);
  for (const { merchant_id: merchantId, name } of await listWorkspaces(tx, accountId)) {
    const notice = {
      merchant_name: name,
      change: 'signed_in_by_mail',
      facts: [
        ['Operator', email],
        ['Network address', trace.network_address],
        ['Browser', trace.user_agent ?? 'unknown'],
        ['Passkeys again from', recoversAt.toISOString()],
      ],
    } as const;
    await queueAccessMail(tx, act, merchantId, notice, [email]);
  }
  return recoversAt;
}

/** Ends another session of the same account, or this one. */
export async function endOneSession(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  sessionId: string,
): Promise<SessionFacts> {
  const session = await readSession(tx, principal.merchantId, sessionId);
  if (!session || session.account_id !== principal.accountId) throw notFound();
  await endSession(tx, act, principal, sessionId);
  return session;
}

/** Ends this session and the admin sessions it created. */
export async function endSession(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  sessionId = principal.sessionId,
): Promise<void> {
  const ended = await endSessionRow(tx, principal.merchantId, sessionId, act.now);
  await endAdminSessionsOf(tx, act, auditActor(principal), [sessionId]);
  if (!ended) return;
  await audit(tx, act, principal, principal.merchantId, 'merchant_session.ended', sessionId);
}

/** A key this recent may have been made by the thief of the session. */
const KEYS_IN_DOUBT_MS = DAY_MS;

/** Whose sessions all end, and who ends them. */
interface Ending {
  accountId: string;
  actor: AuditActor;
  target: AuditEntry['target'];
}

/** Ends every session of the account, in all its organizations, whatever could still become one, and keys in doubt. */
export async function endAllSessions(tx: Tx, act: Act, ending: Ending): Promise<void> {
  const { accountId, actor, target } = ending;
  const ended = await endSessionRowsOf(tx, accountId, act.now);
  await endAdminSessionsOf(
    tx,
    act,
    actor,
    ended.map((session) => session.session_id),
  );
  await endGrants(tx, accountId, act.now);
  if (await endRecovery(tx, accountId)) await announceEndOfRecovery(tx, act, ending);
  const keys = await endKeysInDoubt(tx, act, ending);
  const merchantIds = new Set([...ended, ...keys].map((one) => one.merchant_id));
  await recordAudit(
    tx,
    act,
    ...[...merchantIds].map((merchantId) => ({
      merchantId,
      type: 'merchant_session.ended_everywhere' as const,
      actor,
      target,
      details: {
        sessions: ended.filter((session) => session.merchant_id === merchantId).length,
        api_keys: keys.filter((key) => key.merchant_id === merchantId).length,
      },
    })),
  );
}

/** A wait for a lost passkey that another person began or ends: every owner is notified. */
async function announceEndOfRecovery(tx: Tx, act: Act, { accountId, actor }: Ending): Promise<void> {
  for (const { merchant_id: merchantId, name } of await listWorkspaces(tx, accountId)) {
    const membership = await readMembership(tx, merchantId, accountId);
    if (!membership?.joined_at) continue;
    const { email } = membership;
    await recordAudit(tx, act, {
      merchantId,
      type: 'passkey.recovery_ended',
      actor,
      target: { type: 'operator', id: accountId },
      details: { email },
    });
    const facts = [['Operator', email]] as const;
    const notice = { merchant_name: name, change: 'passkey_recovery_ended', facts } as const;
    await queueAccessMail(tx, act, merchantId, notice, [email]);
  }
}

async function endKeysInDoubt(
  tx: Tx,
  act: Act,
  { accountId, actor }: Ending,
): Promise<{ merchant_id: string }[]> {
  const since = addMs(act.now, -KEYS_IN_DOUBT_MS);
  const keys = await endApiKeysInDoubt(tx, accountId, since, act.now);
  await recordAudit(
    tx,
    act,
    ...keys.map((key) => ({
      merchantId: key.merchant_id,
      type: 'api_key.revoked' as const,
      actor,
      target: { type: 'api_key' as const, id: key.api_key_id },
      details: { agent_id: key.agent_id, cause: 'signed_out_everywhere' },
    })),
  );
  return keys;
}

async function endAdminSessionsOf(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  sessionIds: readonly string[],
): Promise<void> {
  const ended = await endAdminSessions(tx, sessionIds, act.now);
  await recordAudit(
    tx,
    act,
    ...ended.map((session) => ({
      merchantId: session.merchant_id,
      type: 'admin_session.ended' as const,
      actor,
      target: { type: 'admin_session' as const, id: session.session_id },
    })),
  );
}

/** The wait for a lost passkey has led to a new one. */
export async function completeRecovery(tx: Tx, accountId: string): Promise<void> {
  await endRecovery(tx, accountId);
}
