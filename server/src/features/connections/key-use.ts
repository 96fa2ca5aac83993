import { mayBecome } from '../../db/status.ts';
import type { KeyCount, KeyUse } from '../../keys/key-use.ts';

/**
 * A token that the agent can collect is computed again each time. Tokens in use work without their key, by their hash,
 * so their seed is dropped: the next collection makes a new one.
 */
export const connectionTokenKeyUse: KeyUse = {
  name: 'connection tokens that agents can collect',
  ends: 'need it until their first use, or until the wallet rotates or revokes them',
  count: (sql) => sql<KeyCount[]>`
    select t.key_id, count(*)::int as rows
    from connection_tokens t join connections c on c.connection_id = t.connection_id
    where t.seed is not null and c.status <> 'revoked' group by 1`,
  async rotate(tx, _act, keys, limit) {
    const result = await tx`
      update connection_tokens set seed = null where token_hash in (
        select token_hash from connection_tokens
        where seed is not null and key_id <> ${keys.currentKeyId} and first_used_at is not null
        limit ${limit} for update skip locked)`;
    return result.count;
  },
  // Holders of the token can still use it; the next collection makes a new one.
  async abandon(tx, _act, _keys, keyId) {
    const result = await tx`
      update connection_tokens set seed = null where key_id = ${keyId} and seed is not null`;
    return result.count;
  },
};

/** A short code is stored as a keyed hash, and the code itself is not known here. */
export const pairingKeyUse: KeyUse = {
  name: 'open pairing sessions',
  ends: 'end within 10 minutes',
  count: (sql, now) => sql<KeyCount[]>`
    select code_key_id as key_id, count(*)::int as rows from pairing_sessions
    where status = 'pending' and expires_at >= ${now} group by 1`,
  async abandon(tx, { now }, _keys, keyId) {
    const result = await tx`
      update pairing_sessions set status = 'expired', decided_at = ${now}
      where code_key_id = ${keyId} and ${mayBecome(tx, 'pairing_session', 'expired', 'system')}`;
    return result.count;
  },
};
