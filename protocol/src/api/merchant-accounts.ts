import { Type } from 'typebox';
import { MerchantChoiceSchema, MerchantSchema, MerchantSessionSchema } from '../records/merchant.ts';
import { OperatorSchema } from '../records/operator.ts';
import { CLOSED, NAME } from './members.ts';
import { operation } from './operation.ts';

const RegistrationAnswer = Type.Object({
  status: Type.Unsafe<'accepted'>({ type: 'string', const: 'accepted' }),
});

const RegistrationInput = Type.Object(
  { email: Type.String({ maxLength: 254, format: 'email', description: "The operator's email address." }) },
  CLOSED,
);

const tag = 'Merchant accounts';

const time = () => Type.String({ format: 'date-time' });

export const SessionGrantAnswer = Type.Object({
  session_grant: Type.String(),
  session_grant_expires_at: time(),
  merchants: Type.Array(MerchantChoiceSchema),
});

// A secret that is present but wrong is 401, whatever its form: so no pattern here.
export const EmailVerificationInput = Type.Object(
  { token: Type.String({ description: 'The part of the mailed link behind `#token=`.' }) },
  CLOSED,
);

const OrganizationAnswer = Type.Object({
  merchant: MerchantSchema,
  next_grant: Type.String(),
  next_grant_expires_at: time(),
});

const OrganizationInput = Type.Object({ session_grant: Type.String(), name: NAME }, CLOSED);

const SessionAnswer = Type.Object({
  merchant: MerchantSchema,
  operator: OperatorSchema,
  csrf_token: Type.String(),
  session: MerchantSessionSchema,
});

const SessionInput = Type.Object(
  {
    next_grant: Type.Optional(Type.String({ description: 'From POST /v1/merchants.' })),
    session_grant: Type.Optional(Type.String({ description: 'From the email verification.' })),
    choice_id: Type.Optional(
      Type.String({ description: 'One of the choices that came with session_grant.' }),
    ),
  },
  CLOSED,
);

const Nothing = Type.Object({});

export const requestSignInLink = operation({
  id: 'requestSignInLink',
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
});

export const verifyEmail = operation({
  id: 'verifyEmail',
  method: 'POST',
  path: '/v1/merchant-accounts/email-verifications',
  summary: 'Exchange the mailed link for a session grant',
  description:
    'Using one link ends the others. An account without an organization continues with POST /v1/merchants.',
  tag,
  credential: [],
  body: EmailVerificationInput,
  answer: SessionGrantAnswer,
  errors: ['link_invalid'],
});

export const createMerchant = operation({
  id: 'createMerchant',
  method: 'POST',
  path: '/v1/merchants',
  summary: 'Create an organization with a session grant',
  description: 'It is pending until its first domain is proved.',
  tag,
  credential: [],
  body: OrganizationInput,
  status: 201,
  answer: OrganizationAnswer,
  errors: ['grant_invalid', 'limit_reached', 'risk_rejected'],
});

export const createMerchantSession = operation({
  id: 'createMerchantSession',
  method: 'POST',
  path: '/v1/merchant-sessions',
  summary: 'Exchange a grant for a session',
  description: 'The session is an HttpOnly cookie. Send csrf_token as X-CSRF-Token with every change.',
  tag,
  credential: [],
  sameOriginOnly: true,
  body: SessionInput,
  status: 201,
  answer: SessionAnswer,
  errors: ['grant_invalid', 'merchant_not_active'],
});

export const getMerchantSession = operation({
  id: 'getMerchantSession',
  method: 'GET',
  path: '/v1/merchant-sessions/current',
  summary: 'Read the session and its CSRF proof',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: SessionAnswer,
});

export const listMerchantSessions = operation({
  id: 'listMerchantSessions',
  method: 'GET',
  path: '/v1/merchant-sessions',
  summary: 'List where you are signed in to this organization, newest first',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: Type.Object({ sessions: Type.Array(MerchantSessionSchema) }),
});

export const endOneMerchantSession = operation({
  id: 'endOneMerchantSession',
  method: 'DELETE',
  path: '/v1/merchant-sessions/{id}',
  summary: 'Sign out in one place, with the admin sessions that were made there',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: Type.Object({ session: MerchantSessionSchema }),
  errors: ['resource_not_found'],
});

export const endMerchantSession = operation({
  id: 'endMerchantSession',
  method: 'DELETE',
  path: '/v1/merchant-sessions/current',
  summary: 'Sign out, with the admin sessions this session made',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  allowsPendingMerchant: true,
  allowsSuspendedMerchant: true,
  answer: Nothing,
});

export const endAllMerchantSessions = operation({
  id: 'endAllMerchantSessions',
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
});
