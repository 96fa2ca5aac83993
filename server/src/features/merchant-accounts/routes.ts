import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { SESSION_COOKIES, unauthenticated } from '../../http/credentials.ts';
import { answer, defineRoute, type Route } from '../../http/route.ts';
import { traceOf } from '../../http/trace.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { readMerchant } from '../merchants/merchant.ts';
import { nameIssues } from '../merchants/schema.ts';
import { merchantView } from '../merchants/view.ts';
import { queueSignInLink } from '../notices/queue.ts';
import { endedCookie, sessionCookie } from './cookie.ts';
import { foundOrganization } from './found-organization.ts';
import { networkHash } from './known-networks.ts';
import {
  EmailVerificationAnswer,
  EmailVerificationInput,
  Nothing,
  OrganizationAnswer,
  OrganizationInput,
  RegistrationAnswer,
  RegistrationInput,
  SessionAnswer,
  SessionInput,
  sessionInputIssues,
} from './schema.ts';
import { readSessionExpiry } from './session-sql.ts';
import { endAllSessions, endSession, openSession } from './sessions.ts';
import { verifyEmail } from './verify-email.ts';

const tag = 'Merchant accounts';

function cookieName({ config }: Context): string {
  return config.baseUrl.startsWith('https:') ? SESSION_COOKIES.https : SESSION_COOKIES.loopback;
}

const register = defineRoute({
  method: 'POST',
  path: '/v1/merchant-accounts/registrations',
  summary: 'Ask for a one-time link by mail',
  description:
    'Serves registration, setup recovery and returning access. The answer is the same whether or not the address is known.',
  tag,
  credential: [],
  limit: 'registrations',
  body: RegistrationInput,
  status: 202,
  answer: RegistrationAnswer,
  async run({ context, act, body, clientAddress }) {
    const requestedFrom = networkHash(context.keys, clientAddress);
    const email = body.email.toLowerCase();
    // One insert for every address: whether it is known, and whether it has had enough mail, is judged later.
    await transaction(context.db, (tx) => queueSignInLink(tx, act, { email, requestedFrom }));
    return { status: 'accepted' };
  },
});

const verify = defineRoute({
  method: 'POST',
  path: '/v1/merchant-accounts/email-verifications',
  summary: 'Exchange the mailed link for a session grant',
  description:
    'Using one link ends the others. An account without an organization continues with POST /v1/merchants.',
  tag,
  credential: [],
  body: EmailVerificationInput,
  answer: EmailVerificationAnswer,
  errors: ['link_invalid'],
  async run({ context, act, body }) {
    const grant = await transaction(context.db, (tx) => verifyEmail(tx, act, body.token));
    return {
      session_grant: grant.token,
      session_grant_expires_at: toTimestamp(grant.expiresAt),
      merchants: grant.choices.map(({ choiceId, workspace }) => ({
        choice_id: choiceId,
        name: workspace.name,
        status: workspace.status,
      })),
    };
  },
});

const found = defineRoute({
  method: 'POST',
  path: '/v1/merchants',
  summary: 'Create an organization with a session grant',
  description: 'It is pending until its first domain is proved.',
  tag,
  credential: [],
  body: OrganizationInput,
  check: (body) => nameIssues(body.name),
  status: 201,
  answer: OrganizationAnswer,
  errors: ['grant_invalid', 'limit_reached', 'risk_rejected'],
  async run({ context, act, body }) {
    const { merchant, nextGrant } = await transaction(context.db, (tx) => foundOrganization(tx, act, body));
    return {
      merchant: merchantView(merchant),
      next_grant: nextGrant.token,
      next_grant_expires_at: toTimestamp(nextGrant.expiresAt),
    };
  },
});

const signIn = defineRoute({
  method: 'POST',
  path: '/v1/merchant-sessions',
  summary: 'Exchange a grant for a session',
  description: 'The session is an HttpOnly cookie. Send csrf_token as X-CSRF-Token with every change.',
  tag,
  credential: [],
  sameOriginOnly: true,
  body: SessionInput,
  check: sessionInputIssues,
  status: 201,
  answer: SessionAnswer,
  errors: ['grant_invalid', 'merchant_not_active'],
  async run(call) {
    const { context, act, body } = call;
    const session = await transaction(context.db, (tx) =>
      openSession(tx, act, context.keys, body, traceOf(call)),
    );
    return answer(
      {
        merchant: merchantView(session.merchant),
        csrf_token: session.csrfToken,
        session: { expires_at: toTimestamp(session.expiresAt) },
      },
      { headers: { 'set-cookie': sessionCookie(cookieName(context), session.token) } },
    );
  },
});

const current = defineRoute({
  method: 'GET',
  path: '/v1/merchant-sessions/current',
  summary: 'Read the session and its CSRF proof',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: SessionAnswer,
  async run({ context, principal }) {
    const expiresAt = await readSessionExpiry(context.db, principal.merchantId, principal.sessionId);
    if (!expiresAt) throw unauthenticated();
    return {
      merchant: merchantView(await readMerchant(context.db, principal.merchantId)),
      csrf_token: principal.csrfToken,
      session: { expires_at: toTimestamp(expiresAt) },
    };
  },
});

const signOut = defineRoute({
  method: 'DELETE',
  path: '/v1/merchant-sessions/current',
  summary: 'Sign out, with the admin sessions this session made',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: Nothing,
  async run({ context, act, principal }) {
    await transaction(context.db, (tx) => endSession(tx, act, principal));
    return answer({}, { headers: { 'set-cookie': endedCookie(cookieName(context)) } });
  },
});

const signOutEverywhere = defineRoute({
  method: 'DELETE',
  path: '/v1/merchant-sessions',
  summary: 'Sign the operator out everywhere',
  description:
    'Ends all sessions and admin sessions of the operator in every organization, and API keys in doubt: those the operator made with an admin session, and those made in the last 24 hours.',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: Nothing,
  crossesTenants: 'an operator has sessions in every organization that it works for',
  async run({ context, act, principal }) {
    await transaction(context.db, (tx) => endAllSessions(tx, act, principal));
    return answer({}, { headers: { 'set-cookie': endedCookie(cookieName(context)) } });
  },
});

export const accountRoutes: readonly Route[] = [
  register,
  verify,
  found,
  signIn,
  current,
  signOut,
  signOutEverywhere,
];
