import type { AgentPaymentStatus, PaymentEventActor, SettlementState } from '@payassent/protocol';
import type { AgentPaymentEvent } from '@payassent/protocol/records';
import { layoutOf } from '../../db/layout.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { PAYMENT_EVENT_JSON } from '../../payments/index.ts';
import type { PaymentRow } from './view.ts';

/** A payment whose status has just changed, and the actor of the change. */
export interface MovedPayment {
  payment: PaymentRow;
  previous: AgentPaymentStatus;
  actor: PaymentEventActor;
  isTakeover: boolean;
  eventId: string;
  /** The status is unchanged, and the chain shows something new. */
  settlement?: { state: SettlementState; number: number; at: Date };
}

/**
 * Numbers and stores one event for each, in order of occurrence. All are of one merchant; heads are locked in the order
 * of their ids.
 */
export async function insertEvents(tx: Tx, moves: readonly MovedPayment[]): Promise<AgentPaymentEvent[]> {
  const [first] = moves;
  if (!first) return [];
  const { merchant_id: merchantId } = first.payment;
  const events = moves.map(eventRow).sort(byTime);
  const next = await takeNumbers(tx, merchantId, events);
  const numbered = events.map((event) => ({ ...event, sequence: next(event.connection_id) }));
  await tx`insert into agent_payment_events ${tx(numbered)}`;
  const rows = await tx<{ event: string }[]>`
    select ${tx.unsafe(PAYMENT_EVENT_JSON)} as event from agent_payment_events e
    where e.merchant_id = ${merchantId} and e.agent_payment_id = any(${events.map((event) => event.agent_payment_id)}::id[])
      and e.event_id = any(${events.map((event) => event.event_id)}::id[])`;
  return rows.map(({ event }) => JSON.parse(event) as AgentPaymentEvent);
}

function eventRow({ payment, previous, actor, isTakeover, eventId, settlement }: MovedPayment) {
  return {
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
  };
}

type EventRow = ReturnType<typeof eventRow>;

function byTime(a: EventRow, b: EventRow): number {
  const isLater = a.agent_payment_id > b.agent_payment_id ? 1 : -1;
  return a.occurred_at.getTime() - b.occurred_at.getTime() || isLater;
}

/** Returns the next number of a connection on each call. */
async function takeNumbers(
  tx: Tx,
  merchantId: string,
  events: readonly EventRow[],
): Promise<(connectionId: string) => number> {
  const connectionIds = events.map((event) => event.connection_id);
  const counts = new Map<string, number>();
  for (const id of connectionIds.sort()) counts.set(id, (counts.get(id) ?? 0) + 1);
  const heads = await tx<{ connection_id: string; last_sequence: number }[]>`
    insert into agent_payment_heads as h (merchant_id, connection_id, last_sequence)
    values ${tx([...counts].map(([connectionId, count]) => [merchantId, connectionId, count]))}
    on conflict (${tx.unsafe(layoutOf(tx).connectionKey)}) do update set last_sequence = h.last_sequence + excluded.last_sequence
    returning h.connection_id, h.last_sequence`;
  const places = new Map(
    heads.map(({ connection_id: id, last_sequence: last }) => [id, last - (counts.get(id) ?? 0)]),
  );
  return (connectionId) => {
    const number = (places.get(connectionId) ?? 0) + 1;
    places.set(connectionId, number);
    return number;
  };
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
