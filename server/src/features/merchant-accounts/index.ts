import type { Issue, OperatorRole } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Tx, transaction } from '../../db/open.ts';
import { AppError, limitReached } from '../../errors.ts';
import { SESSION_COOKIES, unauthenticated } from '../../http/credentials.ts';
import { askedLanguage, traceOf } from '../../http/headers.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS, toTimestamp } from '../../lib/clock.ts';
import { FIXED_CAPS } from '../../limits.ts';
import type { MerchantPrincipal, MerchantStanding, PresentedCredential } from '../../principals.ts';
import { partyNameIssues } from '../agents/text.ts';
import { auditActor } from '../audit/record.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { createMerchant, readMerchant } from '../merchants/merchant.ts';
import { merchantView } from '../merchants/view.ts';
import { queueSignInLink } from '../notices/queue.ts';
import { csrfTokenOf, endedCookie, grantView, readSessionView, sessionCookie } from './cookies.ts';
import { issueNextGrant, spendSessionGrant, verifyEmail } from './grants.ts';
import { knownNetworkRetention, networkHash } from './known-networks.ts';
import { SESSION_IDLE_MS } from './lifetimes.ts';
import { mailJob } from './mail-job.ts';
import { listOpenSessions } from './session-sql.ts';
import { endAllSessions, endOneSession, endSession, openSession } from './sessions.ts';
import { insertOperator, listWorkspaces, readMembership } from './sql.ts';
import { operatorView, sessionView } from './view.ts';

// Team members: signing in by mail, the organizations that they may enter, and their sessions. Passkeys import
// `sessions`, `grants` and `cookies`; operators import `known-networks` and `view`. A link or grant works once, and no
// queue or backup holds one that works.

interface SessionRow {
  session_id: string;
  account_id: string;
  merchant_id: string;
  csrf_key_id: string;
  last_seen_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  merchant_status: MerchantStanding;
  /** Null when the team member has been removed. */
  role: OperatorRole | null;
  four_eyes: boolean;
  has_passkey: boolean;
  stepped_up_at: Date | null;
  passkey_effective_at: Date | null;
  recovers_at: Date | null;
}

export const merchantAccountsFeature = (): Feature => ({
  name: 'merchant-accounts',
  routes: accountRoutes,
  jobs: [mailJob],
  retention: accountRetention,
  authenticators: { merchant: authenticateMerchant },
});

function cookieName({ config }: Context): string {
  return config.baseUrl.startsWith('https:') ? SESSION_COOKIES.https : SESSION_COOKIES.loopback;
}

const register = implement(api.requestSignInLink, {
  async run({ context, act, body, clientAddress, request }) {
    const requestedFrom = networkHash(context.keys, clientAddress);
    const language = askedLanguage(request);
    const email = body.email.toLowerCase();
    // The same insert for every address: whether it is known, and whether it has had enough mail, is checked later.
    await transaction(context.db, (tx) => queueSignInLink(tx, act, { email, requestedFrom, language }));
    return { status: 'accepted' };
  },
});

const verify = implement(api.verifyEmail, {
  async run({ context, act, body }) {
    const grant = await transaction(context.db, (tx) => verifyEmail(tx, act, body.token));
    return grantView(grant);
  },
});

const found = implement(api.createMerchant, {
  check: (body) => partyNameIssues(body.name),
  async run({ context, act, body }) {
    const { merchant, nextGrant } = await transaction(context.db, (tx) => foundOrganization(tx, act, body));
    return {
      merchant: merchantView(merchant),
      next_grant: nextGrant.token,
      next_grant_expires_at: toTimestamp(nextGrant.expiresAt),
    };
  },
});

const signIn = implement(api.createMerchantSession, {
  check: sessionInputIssues,
  async run(call) {
    const { context, act, body } = call;
    const language = askedLanguage(call.request);
    const session = await transaction(context.db, (tx) =>
      openSession(tx, act, context.keys, { ...body, language }, traceOf(call)),
    );
    return answer(
      {
        merchant: merchantView(session.merchant),
        operator: operatorView(session.operator),
        csrf_token: session.csrfToken,
        session: sessionView(session.session, { sessionId: session.session.session_id, now: act.now }),
      },
      { headers: { 'set-cookie': sessionCookie(cookieName(context), session.token) } },
    );
  },
});

const current = implement(api.getMerchantSession, {
  async run({ context, act, principal }) {
    const membership = await readMembership(context.db, principal.merchantId, principal.accountId);
    if (!membership) throw unauthenticated();
    return {
      merchant: merchantView(await readMerchant(context.db, principal.merchantId)),
      operator: operatorView({ accountId: principal.accountId, ...membership }),
      csrf_token: principal.csrfToken,
      session: await readSessionView(context.db, act, principal),
    };
  },
});

const sessions = implement(api.listMerchantSessions, {
  async run({ context, act, principal }) {
    const idleSince = addMs(act.now, -SESSION_IDLE_MS);
    const rows = await listOpenSessions(context.db, principal, { now: act.now, idleSince });
    const asking = { sessionId: principal.sessionId, now: act.now };
    return { sessions: rows.map((row) => sessionView(row, asking)) };
  },
});

const signOutOne = implement(api.endOneMerchantSession, {
  async run({ context, act, principal, params }) {
    const ended = await transaction(context.db, (tx) =>
      endOneSession(tx, act, principal, params['id'] ?? ''),
    );
    const session = sessionView(ended, { sessionId: principal.sessionId, now: act.now });
    const headers = session.current ? { 'set-cookie': endedCookie(cookieName(context)) } : undefined;
    return answer({ session }, { headers });
  },
});

const signOut = implement(api.endMerchantSession, {
  async run({ context, act, principal }) {
    await transaction(context.db, (tx) => endSession(tx, act, principal));
    return answer({}, { headers: { 'set-cookie': endedCookie(cookieName(context)) } });
  },
});

const signOutEverywhere = implement(api.endAllMerchantSessions, {
  crossesTenants: 'an operator has sessions in every organization that it works for',
  async run({ context, act, principal }) {
    const ending = {
      accountId: principal.accountId,
      actor: auditActor(principal),
      target: { type: 'merchant_session', id: principal.sessionId },
    } as const;
    await transaction(context.db, (tx) => endAllSessions(tx, act, ending));
    return answer({}, { headers: { 'set-cookie': endedCookie(cookieName(context)) } });
  },
});

const accountRoutes: readonly Route[] = [
  register,
  verify,
  found,
  signIn,
  current,
  sessions,
  signOut,
  signOutOne,
  signOutEverywhere,
];

/** `next_grant` alone, or `session_grant` with `choice_id`. */
function sessionInputIssues(body: {
  next_grant?: string;
  session_grant?: string;
  choice_id?: string;
}): Issue[] {
  const { next_grant, session_grant, choice_id } = body;
  if (next_grant !== undefined) {
    return (['session_grant', 'choice_id'] as const)
      .filter((field) => body[field] !== undefined)
      .map((field) => ({
        field,
        code: 'invalid_format',
        message: `${field} cannot be sent together with next_grant: send one of the two grants.`,
      }));
  }
  if (session_grant === undefined && choice_id === undefined)
    return [required('next_grant', 'Send next_grant, or session_grant with choice_id.')];
  if (session_grant === undefined)
    return [required('session_grant', 'session_grant is required with choice_id.')];
  if (choice_id === undefined) return [required('choice_id', 'choice_id is required with session_grant.')];
  return [];
}

function required(field: string, message: string): Issue {
  return { field, code: 'required', message };
}

const MAX_ORGANIZATIONS = FIXED_CAPS.organizations.count;

/** Spends the session grant on a new organization; the grant's account becomes its first owner. */
async function foundOrganization(tx: Tx, act: Act, input: { session_grant: string; name: string }) {
  const { accountId, signedInBy, passkeyEffectiveAt } = await spendSessionGrant(tx, act, input.session_grant);
  const workspaces = await listWorkspaces(tx, accountId);
  if (workspaces.length >= MAX_ORGANIZATIONS)
    throw limitReached(
      `This account has ${workspaces.length} organizations, and may have ${MAX_ORGANIZATIONS}. Use one of them, or sign up with another email address.`,
      MAX_ORGANIZATIONS,
    );
  const merchant = await createMerchant(tx, act, { accountId }, { name: input.name });
  await insertOperator(tx, merchant.merchant_id, accountId, act.now);
  return {
    merchant,
    nextGrant: await issueNextGrant(
      tx,
      act,
      { accountId, signedInBy, passkeyEffectiveAt },
      merchant.merchant_id,
    ),
  };
}

/** Uses within this time count as one; the idle limit is longer by as much, so that no use is ever lost. */
const NOTE_EVERY_MS = 250;

async function authenticateMerchant(
  context: Context,
  presented: PresentedCredential,
  now: Date,
): Promise<MerchantPrincipal> {
  const idleSince = addMs(now, -SESSION_IDLE_MS - NOTE_EVERY_MS);
  // No read waits for a write that the database does not confirm.
  const notedBefore = context.writing.state === 'fine' ? addMs(now, -NOTE_EVERY_MS) : idleSince;
  // Finds a session and records its use, in one statement. Calls within a moment of each other share one record: a page
  // that loads ten things in parallel writes once, and no call waits for a row lock.
  const [session] = await context.db<SessionRow[]>`
    with found as (
      select s.session_id, s.account_id, s.merchant_id, s.csrf_key_id, s.last_seen_at, s.expires_at, s.ended_at,
             case when m.suspended_at is null then m.status else 'suspended' end as merchant_status,
             m.four_eyes, o.role, s.stepped_up_at, s.passkey_effective_at, s.recovers_at,
             exists (select from operator_passkeys p
                     where p.account_id = s.account_id and p.effective_at <= ${now}) as has_passkey
      from merchant_sessions s
      join merchants m using (merchant_id)
      left join merchant_operators o on o.merchant_id = s.merchant_id and o.account_id = s.account_id
      where s.token_hash = ${presented.tokenHash}
    ), noted as (
      update merchant_sessions s set last_seen_at = ${now}
      from found
      where s.session_id = found.session_id and found.ended_at is null and found.expires_at >= ${now}
        and found.last_seen_at >= ${idleSince} and found.last_seen_at < ${notedBefore}
    )
    select * from found`;
  if (!session) throw unauthenticated();
  if (session.ended_at !== null || session.role === null)
    throw new AppError('token_revoked', { message: 'This session has been signed out. Sign in again.' });
  if (now > session.expires_at || session.last_seen_at < idleSince)
    throw new AppError('token_expired', {
      message: 'The session has expired: 30 minutes without use, or 12 hours in total. Sign in again.',
    });
  return {
    kind: 'merchant',
    merchantId: session.merchant_id,
    merchantStatus: session.merchant_status,
    accountId: session.account_id,
    role: session.role,
    fourEyes: session.four_eyes,
    factors: {
      hasPasskey: session.has_passkey,
      steppedUpAt: session.stepped_up_at,
      passkeyEffectiveAt: session.passkey_effective_at,
      recoversAt: session.recovers_at,
    },
    sessionId: session.session_id,
    csrfToken: csrfTokenOf(context.keys, {
      sessionId: session.session_id,
      csrfKeyId: session.csrf_key_id,
    }),
  };
}

/** Spent or expired: kept for a day, so that a late caller learns what happened, then deleted. */
export const accountRetention: readonly RetentionRule[] = [
  forgetAfter(DAY_MS, { name: 'email_links', table: 'email_links', key: 'token_hash' }),
  forgetAfter(DAY_MS, { name: 'session_grants', table: 'session_grants', key: 'token_hash' }),
  forgetAfter(DAY_MS, { name: 'merchant_sessions', table: 'merchant_sessions', key: 'session_id' }),
  knownNetworkRetention,
];
