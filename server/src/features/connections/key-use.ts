import { mayBecome } from '../../db/status.ts';
import type { KeyCount, KeyUse } from '../../keys/key-use.ts';

/** A token that was made and not used yet is computed again when somebody asks for it. */
export const connectionTokenKeyUse: KeyUse = {
  name: 'connection tokens that nobody has used yet',
  ends: 'end at their first use, or when the wallet rotates or revokes them',
  count: (sql) => sql<KeyCount[]>`
    select t.key_id, count(*)::int as rows
    from connection_tokens t join connections c on c.connection_id = t.connection_id
    where t.seed is not null and c.status <> 'revoked' group by 1`,
  // Anyone who has the token may still use it; it cannot be told again.
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
