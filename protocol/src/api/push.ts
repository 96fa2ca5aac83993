import { record, Type } from '../records/schema.ts';
import { binary, input } from './members.ts';
import { operations } from './operation.ts';
import { DeviceAnswer } from './wallets.ts';

const operation = operations({ tag: 'Wallet devices', credential: ['wallet'] });

export const getPushKey = operation('getPushKey', 'GET /v1/push-key', {
  sdk: 'WalletDevices.pushKey',
  summary: 'Read the key under which push messages are sent',
  description: 'What a browser subscribes with (VAPID).',
  credential: [],
  answer: record('PushKey', 'The public key of push messages.', {
    public_key: Type.String({ description: 'A point of P-256, base64url.' }),
  }),
});

export const setPushSubscription = operation(
  'setPushSubscription',
  'PUT /v1/wallet-devices/{id}/push-subscription',
  {
    summary: 'Notify this device about pending requests of the wallet',
    description:
      'Messages contain `{kind, waiting}` and nothing else; at most one in 5 seconds. `kind` is `payment_request`, `agent_payment`, `invitation`, `policy` or `wallet_change`.',
    body: input('PushSubscriptionInput', 'As the browser made it.', {
      endpoint: Type.String({ minLength: 1, description: 'Of the push service; https.' }),
      keys: input('PushKeys', "The browser's keys.", {
        p256dh: binary(128, '65 bytes.'),
        auth: binary(64, '16 bytes.'),
      }),
    }),
    answer: DeviceAnswer,
    errors: ['token_revoked'],
  },
);

export const deletePushSubscription = operation(
  'deletePushSubscription',
  'DELETE /v1/wallet-devices/{id}/push-subscription',
  {
    summary: 'Stop notifying this device',
    description: 'Also when it did not.',
    answer: DeviceAnswer,
    errors: ['token_revoked'],
  },
);
