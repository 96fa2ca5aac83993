import * as api from '@payassent/protocol/api';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { SESSION_COOKIES, unauthenticated } from '../../http/credentials.ts';
import { traceOf } from '../../http/headers.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { addMs, toTimestamp } from '../../lib/clock.ts';
import { partyNameIssues } from '../agents/text.ts';
import { auditActor } from '../audit/record.ts';
import { readMerchant } from '../merchants/merchant.ts';
import { merchantView } from '../merchants/view.ts';
import { queueSignInLink } from '../notices/queue.ts';
import { grantView, readSessionView } from './answers.ts';
import { endedCookie, sessionCookie } from './cookie.ts';
import { foundOrganization } from './found-organization.ts';
import { networkHash } from './known-networks.ts';
import { SESSION_IDLE_MS } from './lifetimes.ts';
import { sessionInputIssues } from './schema.ts';
import { listOpenSessions } from './session-sql.ts';
import { endAllSessions, endOneSession, endSession, openSession } from './sessions.ts';
import { readMembership } from './sql.ts';
import { verifyEmail } from './verify-email.ts';
import { operatorView, sessionView } from './view.ts';

function cookieName({ config }: Context): string {
  return config.baseUrl.startsWith('https:') ? SESSION_COOKIES.https : SESSION_COOKIES.loopback;
}

const register = implement(api.requestSignInLink, {
  async run({ context, act, body, clientAddress }) {
    const requestedFrom = networkHash(context.keys, clientAddress);
    const email = body.email.toLowerCase();
    // One insert for every address: whether it is known, and whether it has had enough mail, is judged later.
    await transaction(context.db, (tx) => queueSignInLink(tx, act, { email, requestedFrom }));
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
    const session = await transaction(context.db, (tx) =>
      openSession(tx, act, context.keys, body, traceOf(call)),
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

export const accountRoutes: readonly Route[] = [
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
