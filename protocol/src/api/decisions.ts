import { Type } from 'typebox';
import { DeviceSchema } from '../records/connect.ts';
import { binary, CLOSED, SIGNED_BY } from './members.ts';
import { operation } from './operation.ts';

const Key = Type.Object(
  {
    alg: Type.Unsafe<'Ed25519' | 'webauthn'>({ type: 'string', enum: ['Ed25519', 'webauthn'] }),
    public_key: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Base64url without padding: 32 bytes, or for webauthn a COSE key of ES256 or EdDSA.',
    }),
    credential_id: Type.Optional(binary(1364)),
    rp_id: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    origin: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { ...CLOSED, description: '`credential_id`, `rp_id` and `origin` belong to webauthn, and to it alone.' },
);

const SetDecisionKey = Type.Object(
  {
    decision_key: Key,
    proof: Type.Unsafe<string | Record<string, unknown>>({
      type: ['string', 'object'],
      description:
        'By the new key, over `svc-decision-key:v1:<base URL>:<device_id>:<thumbprint>`: an Ed25519 signature, or `{webauthn: {authenticator_data, client_data_json, signature}}` whose challenge is the SHA-256 of that text.',
    }),
    endorsement: Type.Optional(
      Type.Object(
        { device_id: Type.String({ minLength: 1, maxLength: 160 }), ...SIGNED_BY },
        {
          ...CLOSED,
          description:
            'The same text signed by the key of another device of the wallet. Needed when another one has a key.',
        },
      ),
    ),
  },
  CLOSED,
);

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
  answer: Type.Object({ device: DeviceSchema }),
  errors: [
    'resource_not_found',
    'token_revoked',
    'decision_signature_required',
    'decision_signature_invalid',
  ],
});
