import { Type } from 'typebox';
import { MerchantSessionSchema } from '../records/merchant.ts';
import { PasskeySchema } from '../records/operator.ts';
import { CLOSED, NAME } from './members.ts';
import { SessionGrantAnswer } from './merchant-accounts.ts';
import { operation } from './operation.ts';

const tag = 'Operators';

/** As the browser writes it; which members it has besides is the browser's business. */
const REGISTRATION = Type.Object(
  {
    id: Type.String(),
    rawId: Type.String(),
    type: Type.String(),
    response: Type.Object({ clientDataJSON: Type.String(), attestationObject: Type.String() }),
  },
  {
    title: 'PasskeyRegistration',
    description: 'The new credential as `toJSON()` of the browser gives it (RegistrationResponseJSON).',
  },
);

const ASSERTION = Type.Object(
  {
    id: Type.String(),
    rawId: Type.String(),
    type: Type.String(),
    response: Type.Object({
      clientDataJSON: Type.String(),
      authenticatorData: Type.String(),
      signature: Type.String(),
    }),
  },
  {
    title: 'PasskeyAssertion',
    description: 'The credential as `toJSON()` of the browser gives it (AuthenticationResponseJSON).',
  },
);

const options = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'For the browser, in the JSON form of WebAuthn Level 3. The challenge works once, for 5 minutes.',
});
const OptionsAnswer = Type.Object({ options });
const PasskeyAnswer = Type.Object({ passkey: PasskeySchema });

/** What every change of one's own sign-in has in common. */
const OWN = {
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  allowsPendingMerchant: true,
} as const;

export const getPasskeyRegistrationOptions = operation({
  ...OWN,
  id: 'getPasskeyRegistrationOptions',
  method: 'POST',
  path: '/v1/merchant-passkeys/registration-options',
  summary: 'Begin to register a passkey',
  answer: OptionsAnswer,
  errors: ['limit_reached'],
});

export const registerPasskey = operation({
  ...OWN,
  id: 'registerPasskey',
  method: 'POST',
  path: '/v1/merchant-passkeys',
  summary: 'Register a passkey',
  description:
    'From the first one on, calls that matter need a passkey that was used in the last 10 minutes (`step_up_required`); another passkey needs that too. Where all are lost, a session that began with a mailed link can register one 24 hours after the first such sign-in, which all owners are told.',
  body: Type.Object({ name: NAME, credential: REGISTRATION }, CLOSED),
  status: 201,
  answer: PasskeyAnswer,
  errors: ['passkey_invalid', 'limit_reached'],
});

export const listPasskeys = operation({
  id: 'listPasskeys',
  method: 'GET',
  path: '/v1/merchant-passkeys',
  summary: 'List your own passkeys, newest first',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: Type.Object({ passkeys: Type.Array(PasskeySchema) }),
});

export const removePasskey = operation({
  ...OWN,
  id: 'removePasskey',
  method: 'DELETE',
  path: '/v1/merchant-passkeys/{id}',
  summary: 'Remove one of your passkeys',
  answer: PasskeyAnswer,
  errors: ['resource_not_found'],
});

export const getStepUpOptions = operation({
  ...OWN,
  id: 'getStepUpOptions',
  method: 'POST',
  path: '/v1/merchant-passkeys/step-up-options',
  summary: 'Begin to use a passkey in this session',
  answer: OptionsAnswer,
  errors: ['step_up_required', 'resource_not_found'],
});

export const stepUp = operation({
  ...OWN,
  id: 'stepUp',
  method: 'POST',
  path: '/v1/merchant-passkeys/step-up',
  summary: 'Use a passkey in this session; calls that need it pass for 10 minutes',
  body: Type.Object({ credential: ASSERTION }, CLOSED),
  answer: Type.Object({ session: MerchantSessionSchema }),
  errors: ['passkey_invalid', 'step_up_required', 'resource_not_found'],
});

export const getPasskeySignInOptions = operation({
  id: 'getPasskeySignInOptions',
  method: 'POST',
  path: '/v1/merchant-passkeys/sign-in-options',
  summary: 'Begin to sign in with a passkey',
  description: 'The same for everybody: it asks for no name, and tells nothing about who has a passkey.',
  tag,
  credential: [],
  limit: 'passkey_sign_in',
  sameOriginOnly: true,
  answer: OptionsAnswer,
});

export const signInWithPasskey = operation({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/v1/merchant-passkeys/sign-in',
  summary: 'Sign in with a passkey',
  description: 'Answers as the exchange of a mailed link does; continue with POST /v1/merchant-sessions.',
  tag,
  credential: [],
  limit: 'passkey_sign_in',
  sameOriginOnly: true,
  body: Type.Object({ credential: ASSERTION }, CLOSED),
  answer: SessionGrantAnswer,
  errors: ['passkey_invalid'],
});
