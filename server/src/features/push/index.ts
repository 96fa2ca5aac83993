// Web Push: notifications on the devices of a wallet when something is pending for it. Nothing imports it but the
// composition and `keys/`. Each pending item notifies each device once, and a lost hint delays a notification by a
// minute at most.

import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { implement } from '../../http/route.ts';
import type { Feature } from '../feature.ts';
import { deviceView } from '../wallets/view.ts';
import { pushJob } from './job.ts';
import { pushIssues, subscribe, unsubscribe } from './subscription.ts';
import { createVapidKeys, type VapidKeys } from './vapid.ts';

export function pushFeature(): Feature {
  const vapidKeys = createVapidKeys();
  return { name: 'push', routes: pushRoutes(vapidKeys), jobs: [pushJob(vapidKeys)] };
}

const pushRoutes = (vapidKeys: VapidKeys) => [
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
