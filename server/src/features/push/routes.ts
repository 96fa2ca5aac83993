import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { implement } from '../../http/route.ts';
import { deviceView } from '../wallets/view.ts';
import { pushIssues } from './input.ts';
import { subscribe, unsubscribe } from './subscription.ts';
import type { VapidKeys } from './vapid.ts';

export const pushRoutes = (vapidKeys: VapidKeys) => [
  implement(api.getPushKey, {
    run: async ({ context: { keys } }) => ({ public_key: vapidKeys(keys, keys.currentKeyId).publicKey }),
  }),
  implement(api.setPushSubscription, {
    check: (body, { config }) => pushIssues(body, { allowLoopback: config.baseUrlIsLoopback }),
    async run({ context, act, principal, params, body }) {
      const deviceId = params['id'] ?? '';
      const device = await transaction(context.db, (tx) =>
        subscribe({ tx, act, principal, deviceId }, context.keys, body),
      );
      return { device: deviceView(device) };
    },
  }),
  implement(api.deletePushSubscription, {
    async run({ context, act, principal, params }) {
      const deviceId = params['id'] ?? '';
      const device = await transaction(context.db, (tx) => unsubscribe({ tx, act, principal, deviceId }));
      return { device: deviceView(device) };
    },
  }),
];
