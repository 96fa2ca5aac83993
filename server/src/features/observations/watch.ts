// Which payments the observers look up, and how records show the results. Payment requests, agent payments, evidence
// and settlement import it. A payment with a transaction is queued for observation in the transaction that reports it.

import type { Network, SettlementState } from '@payassent/protocol';
import type { Fragment, Moment, Sql } from '../../db/open.ts';
import type { SettledKind } from './settlement-json.ts';

/** In these a transaction may be in flight or on the chain. */
const WATCHED = `('signed', 'broadcasted', 'confirmed', 'failed')`;

/** Names an observed payment; ids of requests are only unique within a connection. */
export interface ObservationName {
  merchant_id: string;
  connection_id: string;
  kind: SettledKind;
  record_id: string;
}

/**
 * Puts the payments of `rows`, which have the columns merchant_id, connection_id, network, tx_hash, status, updated_at
 * and the id, on the list of those to look up: a statement or a part of one. Those already on it start over with short
 * pauses, without being taken from a process that holds them.
 */
export function watch(sql: Sql, kind: SettledKind, rows: Fragment, networks: Network[], now: Moment) {
  const [name, id] =
    kind === 'payment_request'
      ? [sql`'payment_request'`, sql`m.request_id`]
      : [sql`'agent_payment'`, sql`m.agent_payment_id`];
  return sql`
    insert into observations as q (merchant_id, connection_id, kind, record_id, network, changed_at, look_at)
    select m.merchant_id, m.connection_id, ${name}, ${id}, m.network, m.updated_at, ${now}
    from ${rows} m
    where m.tx_hash is not null and m.network = any(${networks}::text[]) and m.status in ${sql.unsafe(WATCHED)}
    on conflict (merchant_id, connection_id, kind, record_id) do update
    set changed_at = greatest(q.changed_at, excluded.changed_at), tries = 0,
        look_at = case when q.lease is null then excluded.look_at else q.look_at end`;
}

/** Whether another lookup on its chain is scheduled. */
export async function isWatched(sql: Sql, name: ObservationName): Promise<boolean> {
  const rows = await sql`
    select from observations
    where merchant_id = ${name.merchant_id} and connection_id = ${name.connection_id} and kind = ${name.kind}
      and record_id = ${name.record_id}`;
  return rows.length > 0;
}

/** A change of one record's settlement. */
export interface SettlementChange {
  merchantId: string;
  connectionId: string;
  recordId: string;
  state: SettlementState;
  /** The number of this change of the settlement. */
  number: number;
}
