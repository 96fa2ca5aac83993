import type { KeyCount, KeyUse } from '../../keys/key-use.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';

/** The CSRF proof of an open session. Another key would give another proof, which open pages do not have. */
export const sessionKeyUse: KeyUse = {
  name: 'open sessions',
  ends: 'end within 12 hours',
  count: (sql, now) => sql<KeyCount[]>`
    select csrf_key_id as key_id, count(*)::int as rows from merchant_sessions
    where ended_at is null and expires_at >= ${now} group by 1`,
  async abandon(tx, act, _keys, keyId) {
    const rows = await tx<{ session_id: string; merchant_id: string }[]>`
      update merchant_sessions set ended_at = ${act.now} where csrf_key_id = ${keyId} and ended_at is null
      returning session_id, merchant_id`;
    const entries = rows.map((row) => ({
      merchantId: row.merchant_id,
      type: 'merchant_session.ended' as const,
      actor: SYSTEM_ACTOR,
      target: { type: 'merchant_session' as const, id: row.session_id },
      details: { cause: 'master_key_lost' },
    }));
    await recordAudit(tx, act, ...entries);
    return rows.length;
  },
};
