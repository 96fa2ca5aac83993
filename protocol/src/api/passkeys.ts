import { PasskeySchema } from '../records/operator.ts';
import { record, Type } from '../records/schema.ts';
import { freeForm, input, name } from './members.ts';
import { SessionAnswer, SessionGrantAnswer } from './merchant-accounts.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Operators', credential: ['merchant'] });

/** As the browser writes it; which members it has besides is the browser's business. */
const credential = {
  id: Type.String({ description: "The credential's id, base64url." }),
  rawId: Type.String({ description: 'The same.' }),
  type: Type.String({ description: '`public-key`.' }),
};
const clientDataJSON = Type.String({ description: 'The request to the browser, base64url.' });

const REGISTRATION = record(
  'PasskeyRegistration',
  'The new credential as `toJSON()` of the browser gives it (RegistrationResponseJSON).',
  {
    ...credential,
    response: Type.Object(
      { clientDataJSON, attestationObject: Type.String({ description: 'The new public key, base64url.' }) },
      { description: 'What the authenticator made.' },
    ),
  },
);

const ASSERTION = record(
  'PasskeyAssertion',
  'The credential as `toJSON()` of the browser gives it (AuthenticationResponseJSON).',
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON,
        authenticatorData: Type.String({ description: 'The authenticator data, base64url.' }),
        signature: Type.String({ description: 'Over both, base64url.' }),
      },
      { description: 'What the authenticator signed.' },
    ),
  },
);

const OptionsAnswer = record('PasskeyOptions', 'The request to the browser.', {
  options: freeForm(
    'For the browser, in the JSON form of WebAuthn Level 3. The challenge works once, for 5 minutes.',
  ),
});
const PasskeyAnswer = record('PasskeyAnswer', 'One passkey.', { passkey: PasskeySchema });
const PasskeyUse = input('PasskeyUse', 'The use of a passkey.', { credential: ASSERTION });

export const getPasskeyRegistrationOptions = operation(
  'getPasskeyRegistrationOptions',
  'POST /v1/merchant-passkeys/registration-options',
  {
    sdk: 'MerchantPasskeys.registrationOptions',
    allowsPendingMerchant: true,
    summary: 'Begin to register a passkey',
    description: 'Give `options` to the browser, then send what it made to POST /v1/merchant-passkeys.',
    answer: OptionsAnswer,
    errors: ['limit_reached'],
  },
);

export const registerPasskey = operation('registerPasskey', 'POST /v1/merchant-passkeys', {
  sdk: 'MerchantPasskeys.register',
  allowsPendingMerchant: true,
  summary: 'Register a passkey',
  description:
    'From the first one on, calls that matter need a passkey that was used in the last 10 minutes (`step_up_required`); another passkey needs that too. The first one is effective after 24 hours (`effective_at`), immediately when another owner confirms it or the account is younger than an hour; every owner gets a mail with a link that cancels it. Where all are lost, a mailed link allows one 24 hours after such a sign-in, whatever the lost ones do meanwhile; every owner gets a mail.',
  body: input('PasskeyInput', 'A new passkey.', {
    name: name('What the operator calls it.'),
    credential: REGISTRATION,
  }),
  status: 201,
  answer: PasskeyAnswer,
  errors: ['passkey_invalid', 'limit_reached'],
});

export const listPasskeys = operation('listPasskeys', 'GET /v1/merchant-passkeys', {
  sdk: 'MerchantPasskeys.list',
  summary: 'List your own passkeys, newest first',
  description: 'Only names and times: the service has the public keys, never the private ones.',
  answer: record('PasskeyList', 'All passkeys of the operator.', {
    passkeys: Type.Array(PasskeySchema, { description: 'Newest first.' }),
  }),
});

export const removePasskey = operation('removePasskey', 'DELETE /v1/merchant-passkeys/{id}', {
  sdk: 'MerchantPasskeys.remove',
  allowsPendingMerchant: true,
  summary: 'Remove one of your passkeys',
  description: 'It can no longer be used from then on.',
  answer: PasskeyAnswer,
});

export const confirmPasskey = operation('confirmPasskey', 'POST /v1/merchant-passkeys/{id}/confirm', {
  sdk: 'MerchantPasskeys.confirm',
  summary: "Confirm another operator's first passkey",
  description:
    'It is effective from then on. Only for an owner of every organization that the operator works for, who has been one for a day or since the first day of the organization; confirming again changes nothing. `pending_passkeys` of GET /v1/merchant-operators has the ids.',
  answer: PasskeyAnswer,
  errors: ['second_person_required'],
});

export const cancelPasskey = operation('cancelPasskey', 'POST /v1/merchant-passkeys/cancel', {
  summary: 'Cancel a first passkey with the link that was mailed to the owners',
  description:
    'The passkey is removed and every session of its operator ends. Only before it is effective; the link works for every owner until then.',
  credential: [],
  limit: 'passkey_sign_in',
  sameOriginOnly: true,
  body: input('PasskeyCancellation', 'The link that cancels a passkey.', {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'What follows `#token=` in the link.' }),
  }),
  answer: record('CancelledPasskey', 'What was cancelled.', {
    cancelled: Type.Literal(true, { description: 'The passkey is removed.' }),
  }),
  errors: ['link_invalid'],
});

export const getStepUpOptions = operation('getStepUpOptions', 'POST /v1/merchant-passkeys/step-up-options', {
  sdk: 'MerchantPasskeys.stepUpOptions',
  allowsPendingMerchant: true,
  summary: 'Begin to use a passkey in this session',
  description:
    'Give `options` to the browser, then send what it signed to POST /v1/merchant-passkeys/step-up.',
  answer: OptionsAnswer,
  errors: ['step_up_required', 'resource_not_found'],
});

export const stepUp = operation('stepUp', 'POST /v1/merchant-passkeys/step-up', {
  sdk: 'MerchantPasskeys.stepUp',
  allowsPendingMerchant: true,
  summary: 'Use a passkey in this session; calls that need it pass for 10 minutes',
  description: 'For calls that were refused with step_up_required.',
  body: PasskeyUse,
  answer: SessionAnswer,
  errors: ['passkey_invalid', 'step_up_required', 'resource_not_found'],
});

export const getPasskeySignInOptions = operation(
  'getPasskeySignInOptions',
  'POST /v1/merchant-passkeys/sign-in-options',
  {
    summary: 'Begin to sign in with a passkey',
    description: 'The same for every caller: it takes no name, and shows nothing about who has a passkey.',
    credential: [],
    limit: 'passkey_sign_in',
    sameOriginOnly: true,
    answer: OptionsAnswer,
  },
);

export const signInWithPasskey = operation('signInWithPasskey', 'POST /v1/merchant-passkeys/sign-in', {
  summary: 'Sign in with a passkey',
  description:
    'Returns what the exchange of a mailed link returns; continue with POST /v1/merchant-sessions.',
  credential: [],
  limit: 'passkey_sign_in',
  sameOriginOnly: true,
  body: PasskeyUse,
  answer: SessionGrantAnswer,
  errors: ['passkey_invalid'],
});
