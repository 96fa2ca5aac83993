import { oneOf, Type } from '../records/schema.ts';
import { AUTHORIZATION, binary, input, reference, SIGNED_BY } from './members.ts';
import { operations } from './operation.ts';
import { PendingChangeAnswer } from './pending-changes.ts';
import { DeviceAnswer } from './wallets.ts';

const operation = operations({ tag: 'Wallet devices', credential: ['wallet'] });

const Key = input('DecisionKeyInput', 'The public part of a key that signs decisions.', {
  alg: oneOf(['Ed25519', 'webauthn'], 'The kind of the key.'),
  public_key: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'Base64url without padding: 32 bytes, or for webauthn a COSE key of ES256 or EdDSA.',
  }),
  credential_id: Type.Optional(binary(1364, 'Of a passkey only.')),
  rp_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Of a passkey only: the party it was made for.',
    }),
  ),
  origin: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Of a passkey only: where the wallet uses it.',
    }),
  ),
});

const SetDecisionKey = input('DecisionKeyChange', 'A new decision key for a device.', {
  decision_key: Key,
  proof: Type.Unsafe<string | Record<string, unknown>>({
    type: ['string', 'object'],
    description:
      'By the new key, over `svc-decision-key:v1:<base URL>:<device_id>:<thumbprint>`: an Ed25519 signature, or `{webauthn: {authenticator_data, client_data_json, signature}}` whose challenge is the SHA-256 of that text.',
  }),
  endorsement: Type.Optional(
    input(
      'DecisionKeyEndorsement',
      'Instead of an authorization, for a key that this device never had: the text of `proof`, signed by the key of another device of the wallet.',
      { device_id: reference('The device that vouches.'), ...SIGNED_BY },
    ),
  ),
  authorization: AUTHORIZATION,
});

export const setDecisionKey = operation('setDecisionKey', 'PUT /v1/wallet-devices/{id}/decision-key', {
  summary: 'Set or replace the key with which this device signs its decisions',
  description:
    'From then on every device of the wallet has to sign what it approves; rejecting never needs a key. With an authorization or an endorsement, on a device that joined by recovery code in the last 24 hours, and for a first key in a wallet that has had only one device for 24 hours or since it was made, or on the device that made the wallet within its first hour, it takes effect immediately. Otherwise it takes effect after 24 hours (202). The key that the device already has needs neither.',
  body: SetDecisionKey,
  answer: DeviceAnswer,
  waits: PendingChangeAnswer,
  errors: ['token_revoked', 'decision_signature_invalid', 'limit_reached'],
});

export const deleteDecisionKey = operation(
  'deleteDecisionKey',
  'DELETE /v1/wallet-devices/{id}/decision-key',
  {
    summary: 'Remove the key with which this device signs its decisions',
    description:
      'Without an authorization it takes effect after 24 hours (202). What the key has signed stays verifiable.',
    body: input('DecisionKeyRemoval', 'The end of a decision key.', { authorization: AUTHORIZATION }),
    answer: DeviceAnswer,
    waits: PendingChangeAnswer,
    errors: ['token_revoked', 'decision_signature_invalid'],
  },
);
