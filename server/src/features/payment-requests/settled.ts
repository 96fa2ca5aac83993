import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { SettlementChange } from '../observations/watch.ts';
import { EVENT_JSON, RECORD_JSON, WEBHOOK_ROWS } from './record-json.ts';
import { topicsOf } from './settle.ts';

/** The event and the webhook rows of what the chain says now; the request, which is held, stays what it is. */
export async function tellRequest(tx: Tx, act: Act, change: SettlementChange): Promise<void> {
  const { now } = act;
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
