import type { Scope } from '@countersign/protocol';
import type { Sql } from '../../db/open.ts';
import { connectionIsUsable } from '../callers/connection-token.ts';

/**
 * The credential check of the hot routes, as part of their own statement. `i` has a token_hash; what does not pass is
 * missing from the result and is explained by the ordinary check. A token's first use goes there too, because it has
 * to be written down.
 */
export function joinCaller(sql: Sql) {
  return sql`
    join connection_tokens t on t.token_hash = i.token_hash
    join connections c on c.connection_id = t.connection_id
    join agents a on a.agent_id = c.agent_id`;
}

export function callerMay(sql: Sql, scope: Scope, now: Date) {
  return sql`(${connectionIsUsable(sql, now)} and t.first_used_at is not null
    and ${scope} = any(c.scopes) and ${scope} = any(a.allowed_scopes))`;
}
