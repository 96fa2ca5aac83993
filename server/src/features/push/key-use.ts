import type { KeyCount, KeyUse } from '../../keys/key-use.ts';
import { deleteSubscriptions } from '../wallets/subscriptions.ts';

/** The browser is bound to the public key of the master key it subscribed with: only it can subscribe again. */
export const pushSubscriptionKeyUse: KeyUse = {
  name: 'push subscriptions',
  ends: 'end when their wallet is opened, which subscribes again, or with keys abandon',
  count: (sql) => sql<KeyCount[]>`
    select key_id, count(*)::int as rows from push_subscriptions group by 1`,
  abandon: (tx, _act, _keys, keyId) => deleteSubscriptions(tx, tx`key_id = ${keyId}`),
};
