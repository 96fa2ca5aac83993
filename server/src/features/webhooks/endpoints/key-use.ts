import { newWebhookSecret } from '@payassent/protocol';
import type { Act } from '../../../act.ts';
import { layoutOf } from '../../../db/layout.ts';
import type { Tx } from '../../../db/open.ts';
import { mayBecome } from '../../../db/status.ts';
import type { KeyCount, KeyUse } from '../../../keys/key-use.ts';
import type { Keys, Sealed } from '../../../lib/keys.ts';
import { recordAudit, SYSTEM_ACTOR } from '../../audit/record.ts';
import { sealSecret } from './secrets.ts';

interface BoxRow {
  webhook_endpoint_id: string;
  key_id: string;
  box: Buffer;
}

export const webhookSecretKeyUse: KeyUse = {
  name: 'webhook secrets',
  ends: 'are moved by keys rotate',
  count: (sql) => sql<KeyCount[]>`
    select secret_key_id as key_id, count(*)::int as rows from webhook_endpoints
    where deleted_at is null group by 1`,
  async rotate(tx, _act, keys, limit) {
    const rows = await tx<BoxRow[]>`
      select webhook_endpoint_id, secret_key_id as key_id, secret_box as box from webhook_endpoints
      where deleted_at is null and secret_key_id <> ${keys.currentKeyId}
      order by webhook_endpoint_id limit ${limit} ${layoutOf(tx).holding(tx)}`;
    for (const row of rows) {
      const sealed = sealedAgain(keys, row);
      await tx`
        update webhook_endpoints set secret_key_id = ${sealed.keyId}, secret_box = ${sealed.box}
        where webhook_endpoint_id = ${row.webhook_endpoint_id}`;
    }
    return rows.length;
  },
  // Nothing may be signed with a secret that the receiver does not know: the merchant rotates it, then enables it
  // again.
  async abandon(tx, act, keys, keyId) {
    const rows = await tx<{ webhook_endpoint_id: string; merchant_id: string; status: string }[]>`
      select webhook_endpoint_id, merchant_id, status from webhook_endpoints
      where secret_key_id = ${keyId} and deleted_at is null order by webhook_endpoint_id ${layoutOf(tx).holding(tx)}`;
    for (const { webhook_endpoint_id: id } of rows) await disableWithNewSecret(tx, act, keys, id);
    const entries = rows.map((row) => ({
      merchantId: row.merchant_id,
      type: 'webhook_endpoint.disabled' as const,
      actor: SYSTEM_ACTOR,
      target: { type: 'webhook_endpoint' as const, id: row.webhook_endpoint_id },
      details: { from: row.status, to: 'disabled', reason: 'master_key_lost' },
    }));
    await recordAudit(tx, act, ...entries);
    return rows.length;
  },
};

/** The previous secret of an endpoint, which also signs for 24 hours after a rotation. */
export const formerWebhookSecretKeyUse: KeyUse = {
  name: 'previous webhook secrets that still sign',
  ends: 'are moved by keys rotate',
  count: (sql, now) => sql<KeyCount[]>`
    select previous_secret_key_id as key_id, count(*)::int as rows from webhook_endpoints
    where deleted_at is null and previous_secret_key_id is not null and previous_secret_expires_at >= ${now}
    group by 1`,
  async rotate(tx, { now }, keys, limit) {
    const rows = await tx<BoxRow[]>`
      select webhook_endpoint_id, previous_secret_key_id as key_id, previous_secret_box as box from webhook_endpoints
      where deleted_at is null and previous_secret_key_id <> ${keys.currentKeyId}
        and previous_secret_expires_at >= ${now}
      order by webhook_endpoint_id limit ${limit} ${layoutOf(tx).holding(tx)}`;
    for (const row of rows) {
      const sealed = sealedAgain(keys, row);
      await tx`
        update webhook_endpoints set previous_secret_key_id = ${sealed.keyId}, previous_secret_box = ${sealed.box}
        where webhook_endpoint_id = ${row.webhook_endpoint_id}`;
    }
    return rows.length;
  },
  async abandon(tx, _act, _keys, keyId) {
    const result = await tx`
      update webhook_endpoints
      set previous_secret_key_id = null, previous_secret_box = null, previous_secret_expires_at = null
      where previous_secret_key_id = ${keyId}`;
    return result.count;
  },
};

function sealedAgain(keys: Keys, { webhook_endpoint_id: id, key_id: keyId, box }: BoxRow): Sealed {
  return keys.seal('webhook-secret', keys.open('webhook-secret', { keyId, box }, id), id);
}

async function disableWithNewSecret(tx: Tx, act: Act, keys: Keys, endpointId: string): Promise<void> {
  const { now } = act;
  const sealed = sealSecret(keys, endpointId, newWebhookSecret(act.randomBytes));
  await tx`
    update webhook_endpoints
    set secret_key_id = ${sealed.keyId}, secret_box = ${sealed.box}, status = 'disabled',
        inactive_since = coalesce(inactive_since, ${now}), version = version + 1, updated_at = ${now},
        previous_secret_key_id = null, previous_secret_box = null, previous_secret_expires_at = null
    where webhook_endpoint_id = ${endpointId}
      and ${mayBecome(tx, 'webhook_endpoint', 'disabled', 'system', { orIs: true })}`;
}
