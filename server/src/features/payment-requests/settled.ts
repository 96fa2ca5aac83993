import { parseExactJson } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { isDistributed } from '../../db/layout.ts';
import { ofMerchant } from '../../db/machine.ts';
import type { Tx } from '../../db/open.ts';
import type { SettlementChange } from '../observations/watch.ts';
import { queueWebhooks, type WebhookEvent } from '../webhooks/queue.ts';
import { EVENT_JSON, RECORD_JSON, WEBHOOK_ROWS } from './record-json.ts';
import { topicsOf } from './settle.ts';

/** The event and the webhook rows of what the chain says now; the request, which is held, stays what it is. */
export async function tellRequest(tx: Tx, act: Act, change: SettlementChange): Promise<void> {
  const { now } = act;
  if (isDistributed(tx)) return tellOnMachine(tx, act, change);
  const rows = await tx<{ connection_id: string; wallet_id: string; deliveries: number }[]>`
    with told as materialized (
      select r.merchant_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version, r.tx_hash,
             ${tx.unsafe(RECORD_JSON)} as record
      from payment_requests r
      where r.merchant_id = ${change.merchantId} and r.request_id = ${change.recordId}
        and r.connection_id = ${change.connectionId}
    ), head as (
      insert into connection_heads as h (merchant_id, connection_id, last_sequence)
      select merchant_id, connection_id, 1 from told
      on conflict (connection_id) do update set last_sequence = h.last_sequence + 1
      returning h.last_sequence
    ), event as (
      insert into payment_request_events as e (
        connection_id, sequence, event_id, merchant_id, request_id, type, status, previous_status, state_version, actor,
        tx_hash, settlement_state, settlement_number, occurred_at)
      select t.connection_id, h.last_sequence, ${act.newId('evt')}, t.merchant_id, t.request_id,
             'payment_request.settlement_updated', t.status, t.status, t.state_version, 'observer', t.tx_hash,
             ${change.state}, ${change.number}, ${now}
      from told t cross join head h
      returning e.event_id, e.sequence, e.type, ${tx.unsafe(EVENT_JSON)} as event
    ), said as materialized (
      select e.event_id, t.merchant_id, e.type, ${now}::timestamptz as occurred_at, e.sequence, t.record,
             null::text as previous_status, null::boolean as takeover, ${now}::timestamptz as now
      from event e cross join told t
    ), ${tx.unsafe(WEBHOOK_ROWS)}
    select t.connection_id, t.wallet_id, (select count(*) from delivery)::int as deliveries
    from told t cross join event`;
  tx.afterCommit(() => act.announce(...topicsOf(rows)));
}

/** The same as single statements. */
async function tellOnMachine(tx: Tx, act: Act, change: SettlementChange): Promise<void> {
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
    on conflict (merchant_id, connection_id) do update set last_sequence = h.last_sequence + 1
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
