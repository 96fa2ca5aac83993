import { connectionTokenKeyUse, pairingKeyUse } from '../features/connections/key-use.ts';
import { sessionKeyUse } from '../features/merchant-accounts/key-use.ts';
import { pushSubscriptionKeyUse } from '../features/push/key-use.ts';
import { formerWebhookSecretKeyUse, webhookSecretKeyUse } from '../features/webhooks/endpoints/key-use.ts';
import type { KeyUse } from './key-use.ts';

/** Everything stored that is read with a master key again. New code that stores such values adds a line here. */
export const KEY_USES: readonly KeyUse[] = [
  webhookSecretKeyUse,
  formerWebhookSecretKeyUse,
  sessionKeyUse,
  pairingKeyUse,
  connectionTokenKeyUse,
  pushSubscriptionKeyUse,
];
