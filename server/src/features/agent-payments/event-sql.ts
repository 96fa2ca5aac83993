import type { AgentPaymentStatus, PaymentEventActor, SettlementState } from '@payassent/protocol';
import type { AgentPaymentEvent } from '@payassent/protocol/records';
import type { Sql, Tx } from '../../db/open.ts';
import { PAYMENT_EVENT_JSON } from '../payment-requests/record-json.ts';
import type { PaymentRow } from './view.ts';

/** A payment whose status has just changed, and who changed it. */
export interface MovedPayment {
  payment: PaymentRow;
  previous: AgentPaymentStatus;
  actor: PaymentEventActor;
  isTakeover: boolean;
  eventId: string;
  /** The status stays, and the chain says something else. */
  settlement?: { state: SettlementState; number: number; at: Date };
}

/** Numbers and stores one event for each, in the order in which they happened. Heads are locked in the order of their ids. */
export async function insertEvents(tx: Tx, moves: readonly MovedPayment[]): Promise<AgentPaymentEvent[]> {
  const input = moves.map(({ payment, previous, actor, isTakeover, eventId, settlement }) => ({
    event_id: eventId,
    type: `agent_payment.${settlement ? 'settlement_updated' : payment.status}`,
    merchant_id: payment.merchant_id,
    connection_id: payment.connection_id,
    agent_payment_id: payment.agent_payment_id,
    status: payment.status,
    previous_status: previous,
    state_version: payment.state_version,
    actor,
    tx_hash: payment.tx_hash,
    reason: payment.reason,
    takeover: isTakeover || null,
    settlement_state: settlement?.state ?? null,
    settlement_number: settlement?.number ?? 0,
    occurred_at: settlement?.at ?? payment.updated_at,
  }));
  const rows = await tx<{ event: string }[]>`
    with moved as materialized (
      select m.*, row_number() over (partition by m.connection_id order by m.occurred_at, m.agent_payment_id) as number
      from json_to_recordset(${JSON.stringify(input)}::text::json) as m(
        event_id id, type text, merchant_id id, connection_id id, agent_payment_id id, status text, previous_status text,
        state_version int, actor text, tx_hash text, reason text, takeover boolean, settlement_state text,
        settlement_number int, occurred_at timestamptz)
    ), head as (
      insert into agent_payment_heads as h (merchant_id, connection_id, last_sequence)
      select merchant_id, connection_id, count(*) from moved group by merchant_id, connection_id order by connection_id
      on conflict (connection_id) do update set last_sequence = h.last_sequence + excluded.last_sequence
      returning h.connection_id, h.last_sequence
    )
    insert into agent_payment_events as e (
      connection_id, sequence, event_id, merchant_id, agent_payment_id, type, status, previous_status, state_version,
      actor, tx_hash, reason, takeover, settlement_state, settlement_number, occurred_at)
    select m.connection_id, h.last_sequence - max(m.number) over (partition by m.connection_id) + m.number, m.event_id,
           m.merchant_id, m.agent_payment_id, m.type, m.status, m.previous_status,
           m.state_version, m.actor, m.tx_hash, m.reason, m.takeover, m.settlement_state, m.settlement_number,
           m.occurred_at
    from moved m join head h on h.connection_id = m.connection_id
    returning ${tx.unsafe(PAYMENT_EVENT_JSON)} as event`;
  return rows.map(({ event }) => JSON.parse(event) as AgentPaymentEvent);
}

/** Oldest first. */
export async function selectEvents(
  sql: Sql,
  payment: Pick<PaymentRow, 'agent_payment_id' | 'merchant_id' | 'connection_id'>,
): Promise<AgentPaymentEvent[]> {
  const rows = await sql<{ event: string }[]>`
    select ${sql.unsafe(PAYMENT_EVENT_JSON)} as event from agent_payment_events e
    where e.agent_payment_id = ${payment.agent_payment_id} and e.merchant_id = ${payment.merchant_id}
      and e.connection_id = ${payment.connection_id}
    order by e.sequence`;
  return rows.map(({ event }) => JSON.parse(event) as AgentPaymentEvent);
}
