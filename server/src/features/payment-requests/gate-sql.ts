import type { Moment, Sql } from '../../db/open.ts';
import type { PresentedCredential } from '../../http/principals.ts';

/**
 * Who calls, as sent. Read again for each statement: the ordinary check, which explains why the first one found nobody,
 * leaves here whose key has signed for the call.
 */
export type HotCaller = Pick<PresentedCredential, 'tokenHash' | 'provedBy'>;

/**
 * The credential check of the hot routes, as part of their own statement: for a row `i` with token_hash and proved_by it
 * yields the caller as `c`, or nothing. A caller that gets nothing is told why by the ordinary check,
 * `call.authenticate()`. A token's first use goes there too, because it has to be written down.
 *
 * A lateral look-up with a limit, here and in the statements around it, leaves the planner no choice but one index probe
 * a row, token first. Written as plain joins the same statements took 30 ms to plan and scanned whole tables while these
 * were small; with joins only inside of the look-up the check took 28 µs a row instead of 21. The agent's row is looked
 * up once, and its credentials once for both questions: is there a working one, and did it sign where it must.
 */
export function joinCaller(sql: Sql, action: 'create' | 'read', now: Moment) {
  const scope = action === 'create' ? sql`'payment.requests.create'` : sql`'payment.requests.read'`;
  return sql`
    cross join lateral (
      select c.connection_id, c.merchant_id, c.wallet_id, c.agent_id, a.name as agent_name
      from connection_tokens t
        cross join lateral (select * from connections c where c.connection_id = t.connection_id limit 1) c
        cross join lateral (select * from agents a where a.agent_id = c.agent_id limit 1) a
      where t.token_hash = i.token_hash and t.first_used_at is not null and t.ended_at is null
        and c.status <> 'revoked' and ${scope} = any(c.scopes)
        and is_in_service(a.status, a.suspended_by_installation_at, a.merchant_suspended_at)
        and ${scope} = any(a.allowed_scopes)
        and exists (
          select from working_credentials(a.agent_id, ${now}) k
          where not a.require_proof or k.credential_id = i.proved_by)
      limit 1
    ) c`;
}
