import { Type } from 'typebox';
import { oneOf } from '../records/schema.ts';
import { binary, input, reference, SIGNED_BY } from './members.ts';
import { operation } from './operation.ts';
import { DeviceAnswer } from './wallets.ts';

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
      description: 'Of a passkey only: where the wallet asks for it.',
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
      'The same text signed by the key of another device of the wallet. Needed when another one has a key.',
      { device_id: reference('The device that vouches.'), ...SIGNED_BY },
    ),
  ),
});

export const setDecisionKey = operation({
  id: 'setDecisionKey',
  method: 'PUT',
  path: '/v1/wallet-devices/{id}/decision-key',
  summary: 'Set or replace the key with which this device signs its decisions',
  description:
    'From then on every device of the wallet has to sign what it approves or rejects. A device that joined by recovery code in the last 24 hours needs no endorsement.',
  tag: 'Wallet devices',
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: SetDecisionKey,
  answer: DeviceAnswer,
  errors: [
    'resource_not_found',
    'token_revoked',
    'decision_signature_required',
    'decision_signature_invalid',
  ],
});
