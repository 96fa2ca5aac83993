import type { Tx } from '../../db/open.ts';
import { RETENTION } from '../../jobs/retention.ts';
import { networkOf } from '../../lib/client-address.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import { forgetAfter } from '../forget-after.ts';

/** More than a person signs in from; for a team member who travels the oldest are deleted. */
const MAX_NETWORKS = 10;
const KEPT_MS = RETENTION.knownNetworks.days * DAY_MS;

/** The network of a call, as it is stored: enough to recognise it, not to read it. */
export function networkHash(keys: Keys, address: string): string {
  return keys.mac('mail-address', keys.currentKeyId, networkOf(address)).toString('base64url');
}

/**
 * A team member has signed in from here. Link mails requested from here are never withheld because of requests from
 * elsewhere: an attacker who knows an address could otherwise lock its owner out.
 */
export async function rememberNetwork(tx: Tx, accountId: string, network: string, now: Date): Promise<void> {
  await tx`
    insert into account_networks (account_id, network, last_used_at) values (${accountId}, ${network}, ${now})
    on conflict (account_id, network) do update set last_used_at = excluded.last_used_at`;
  await tx`
    delete from account_networks where account_id = ${accountId} and network in (
      select network from account_networks where account_id = ${accountId}
      order by last_used_at desc, network offset ${MAX_NETWORKS})`;
}

export async function isKnownNetwork(tx: Tx, email: string, network: string): Promise<boolean> {
  const rows = await tx`
    select from account_networks join accounts using (account_id) where email = ${email} and network = ${network}`;
  return rows.length > 0;
}

export const knownNetworkRetention = forgetAfter(KEPT_MS, {
  name: 'known networks',
  table: 'account_networks',
  key: 'account_id, network',
  time: 'last_used_at',
});
