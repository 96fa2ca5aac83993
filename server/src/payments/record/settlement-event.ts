import { parseExactJson } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { layoutOf, ofMerchant } from '../../db/layout.ts';
import type { Tx } from '../../db/open.ts';
import type { SettlementChange } from '../../features/observations/watch.ts';
import { queueWebhooks, type WebhookEvent } from '../../features/webhooks/queue.ts';
import { topicsOf } from '../close/close.ts';
import { RECORD_JSON } from './record-json.ts';

/** Records the event and webhook of a settlement change; the locked request keeps its status. */
export async function tellRequest(tx: Tx, act: Act, change: SettlementChange): Promise<void> {
  const { merchantId, connectionId, recordId } = change;
  const own = ofMerchant(tx, merchantId);
  const [told] = await own<
    { wallet_id: string; status: string; state_version: number; tx_hash: string; record: string }[]
  >`
    select r.wallet_id, r.status, r.state_version, r.tx_hash, ${own.unsafe(RECORD_JSON)} as record
    from payment_requests r
    where r.merchant_id = ${merchantId} and r.request_id = ${recordId} and r.connection_id = ${connectionId}`;
  if (!told) return;
  const [head] = await tx<[{ last_sequence: number }]>`
    insert into connection_heads as h (merchant_id, connection_id, last_sequence)
    values (${merchantId}, ${connectionId}, 1)
    on conflict (${tx.unsafe(layoutOf(tx).connectionKey)}) do update set last_sequence = h.last_sequence + 1
    returning h.last_sequence`;
  const eventId = act.newId('evt');
  const type = 'payment_request.settlement_updated';
  await tx`insert into payment_request_events ${tx({
    connection_id: connectionId,
    sequence: head.last_sequence,
    event_id: eventId,
    merchant_id: merchantId,
    request_id: recordId,
    type,
    status: told.status,
    previous_status: told.status,
    state_version: told.state_version,
    actor: 'observer',
    tx_hash: told.tx_hash,
    settlement_state: change.state,
    settlement_number: change.number,
    occurred_at: act.now,
  })}`;
  const data = { payment_request: parseExactJson(told.record) };
  await queueWebhooks(tx, act, [
    { merchantId, type, eventId, sequence: head.last_sequence, data } as WebhookEvent,
  ]);
  tx.afterCommit(() =>
    act.announce(...topicsOf([{ connection_id: connectionId, wallet_id: told.wallet_id, deliveries: 0 }])),
  );
}
