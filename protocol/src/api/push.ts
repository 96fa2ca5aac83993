import { Type } from 'typebox';
import { record } from '../records/schema.ts';
import { binary, input } from './members.ts';
import { operation } from './operation.ts';
import { DeviceAnswer } from './wallets.ts';

const tag = 'Wallet devices';

export const getPushKey = operation({
  id: 'getPushKey',
  method: 'GET',
  path: '/v1/push-key',
  summary: 'Read the key under which push messages are sent',
  description: 'What a browser subscribes with (VAPID).',
  tag,
  credential: [],
  answer: record('PushKey', 'The public key of push messages.', {
    public_key: Type.String({ description: 'A point of P-256, base64url.' }),
  }),
});

export const setPushSubscription = operation({
  id: 'setPushSubscription',
  method: 'PUT',
  path: '/v1/wallet-devices/{id}/push-subscription',
  summary: 'Ring this device when something waits for the wallet',
  description:
    'Messages say `{kind, waiting}`, nothing else; one in 5 seconds at most. `kind` is `payment_request`, `agent_payment`, `invitation`, `policy` or `wallet_change`.',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: input('PushSubscriptionInput', 'As the browser made it.', {
    endpoint: Type.String({ minLength: 1, description: 'Of the push service; https.' }),
    keys: input('PushKeys', "The browser's keys.", {
      p256dh: binary(128, '65 bytes.'),
      auth: binary(64, '16 bytes.'),
    }),
  }),
  answer: DeviceAnswer,
  errors: ['resource_not_found', 'token_revoked'],
});

export const deletePushSubscription = operation({
  id: 'deletePushSubscription',
  method: 'DELETE',
  path: '/v1/wallet-devices/{id}/push-subscription',
  summary: 'Ring this device no longer',
  description: 'Also when it did not.',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: DeviceAnswer,
  errors: ['resource_not_found', 'token_revoked'],
});
