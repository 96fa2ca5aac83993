import { MerchantChoiceSchema, MerchantSchema, MerchantSessionSchema } from '../records/merchant.ts';
import { OperatorSchema } from '../records/operator.ts';
import { constant, record, Type, time } from '../records/schema.ts';
import { input, partyName } from './members.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Merchant accounts', credential: ['merchant'] });

const OpenSession = record('OpenSession', 'An open session of an operator.', {
  merchant: MerchantSchema,
  operator: OperatorSchema,
  csrf_token: Type.String({ description: 'Sent as X-CSRF-Token with every change.' }),
  session: MerchantSessionSchema,
});

export const SessionGrantAnswer = record('EmailGrant', 'What a mailed link or a passkey is exchanged for.', {
  session_grant: Type.String({
    description: 'Creates an organization, or opens a session with one of `merchants`; once.',
  }),
  session_grant_expires_at: time('When the grant ends.'),
  merchants: Type.Array(MerchantChoiceSchema, {
    description: 'Organizations that the operator may enter.',
  }),
});

export const SessionAnswer = record('SessionAnswer', 'One session.', { session: MerchantSessionSchema });

const Nothing = Type.Object({});

// A secret that is present but wrong is 401, whatever its form: so no pattern here.
export const EmailVerificationInput = input('EmailVerificationInput', 'The secret of a mailed link.', {
  token: Type.String({ description: 'The part of the mailed link behind `#token=`.' }),
});

export const requestSignInLink = operation('requestSignInLink', 'POST /v1/merchant-accounts/registrations', {
  summary: 'Request a one-time link by mail',
  description:
    'Serves registration, setup recovery and returning access. The response is the same whether or not the address is known.',
  credential: [],
  limit: 'registrations',
  body: input('SignInLinkInput', 'Where to send a one-time link.', {
    email: Type.String({ maxLength: 254, format: 'email', description: "The operator's email address." }),
  }),
  status: 202,
  answer: record('SignInLinkAnswer', 'The same whether or not the address is known.', {
    status: constant('accepted', 'Always `accepted`.'),
  }),
  example: { email: 'owner@shop.example' },
});

export const verifyEmail = operation('verifyEmail', 'POST /v1/merchant-accounts/email-verifications', {
  summary: 'Exchange the mailed link for a session grant',
  description:
    'Using one link ends the others. An account without an organization continues with POST /v1/merchants.',
  credential: [],
  body: EmailVerificationInput,
  answer: SessionGrantAnswer,
  errors: ['link_invalid'],
});

export const createMerchant = operation('createMerchant', 'POST /v1/merchants', {
  summary: 'Create an organization with a session grant',
  description: 'It is pending until its first domain is proved.',
  credential: [],
  body: input('OrganizationInput', 'A new organization.', {
    session_grant: Type.String({ description: 'From the email verification.' }),
    name: partyName('What the organization calls itself.'),
  }),
  status: 201,
  answer: record('CreatedOrganization', 'A new organization with the grant that opens its first session.', {
    merchant: MerchantSchema,
    next_grant: Type.String({ description: 'Opens a session; once.' }),
    next_grant_expires_at: time('When the grant ends.'),
  }),
  errors: ['grant_invalid', 'limit_reached', 'risk_rejected'],
});

export const createMerchantSession = operation('createMerchantSession', 'POST /v1/merchant-sessions', {
  summary: 'Exchange a grant for a session',
  description: 'The session is an HttpOnly cookie. Send csrf_token as X-CSRF-Token with every change.',
  credential: [],
  sameOriginOnly: true,
  body: input(
    'SessionInput',
    'How to open a session: with `next_grant` after creating an organization, or with `session_grant` and `choice_id`.',
    {
      next_grant: Type.Optional(Type.String({ description: 'From POST /v1/merchants.' })),
      session_grant: Type.Optional(Type.String({ description: 'From the email verification.' })),
      choice_id: Type.Optional(
        Type.String({ description: 'One of the choices that came with session_grant.' }),
      ),
    },
  ),
  status: 201,
  answer: OpenSession,
  errors: ['grant_invalid', 'merchant_not_active'],
});

export const getMerchantSession = operation('getMerchantSession', 'GET /v1/merchant-sessions/current', {
  summary: 'Read the session and its CSRF proof',
  description: 'For a page that was loaded again and has lost its csrf_token.',
  answer: OpenSession,
});

export const listMerchantSessions = operation('listMerchantSessions', 'GET /v1/merchant-sessions', {
  sdk: 'MerchantSessions.list',
  summary: 'List where you are signed in to this organization, newest first',
  description: 'With the address and the browser that each sign-in came from.',
  answer: record('SessionList', 'The open sessions of the operator in this organization.', {
    sessions: Type.Array(MerchantSessionSchema, { description: 'Newest first.' }),
  }),
});

export const endOneMerchantSession = operation('endOneMerchantSession', 'DELETE /v1/merchant-sessions/{id}', {
  sdk: 'MerchantSessions.signOutOf',
  summary: 'Sign out in one place, with the admin sessions that were made there',
  description: 'The cookie of that session is refused from then on.',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: SessionAnswer,
});

export const endMerchantSession = operation('endMerchantSession', 'DELETE /v1/merchant-sessions/current', {
  summary: 'Sign out, with the admin sessions this session made',
  description: 'The cookie is refused from then on. Other sessions of the operator stay open.',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: Nothing,
});

export const endAllMerchantSessions = operation('endAllMerchantSessions', 'DELETE /v1/merchant-sessions', {
  summary: 'Sign the operator out everywhere',
  description:
    'Ends all sessions and admin sessions of the operator in every organization, and API keys in doubt: those the operator made with an admin session, and those made in the last 24 hours.',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: Nothing,
});
