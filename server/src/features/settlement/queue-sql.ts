import type { Network } from '@payassent/protocol';
import type { Settlement } from '@payassent/protocol/records';
import { layoutOf } from '../../db/layout.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS, toTimestamp } from '../../lib/clock.ts';
import { PAYMENT_SETTLEMENT, REQUEST_SETTLEMENT } from '../observations/settlement-json.ts';
import type { ObservationName } from '../observations/watch.ts';
import type { PinnedPayment } from './chain.ts';

/** After the last change of the record or of its settlement. */
export const WATCHED_FOR_MS = 7 * DAY_MS;
const FIRST_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
const GROWTH = 1.5;

function pauseMs(tries: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** Math.min(tries, 30));
}

/** A payment to look up, and its known state. */
export interface Observation extends ObservationName {
  network: Network;
  tx_hash: string;
  pinned: PinnedPayment;
  before: Settlement | null;
}

/**
 * The network's next due ones, leased to this caller until `until`, except those that another caller took meanwhile.
 */
export async function claimDue(
  sql: Sql,
  network: Network,
  lease: string,
  limit: number,
  { now, until }: { now: Date; until: Date },
): Promise<Observation[]> {
  const due = await sql<ObservationName[]>`
    select merchant_id, connection_id, kind, record_id from observations
    where network = ${network} and look_at <= ${now} order by look_at limit ${limit}`;
  const taken: ObservationName[] = [];
  for (const name of due) {
    const rows = await sql`
      update observations set lease = ${lease}, look_at = ${until}
      where merchant_id = ${name.merchant_id} and connection_id = ${name.connection_id} and kind = ${name.kind}
        and record_id = ${name.record_id} and look_at <= ${now}
      returning record_id`;
    if (rows.length > 0) taken.push(name);
  }
  const known = await layoutOf(sql).byMerchant(
    sql,
    taken,
    (name) => name.merchant_id,
    (own, names) => readKnown(own, network, names),
  );
  return known.filter((observation) => observation !== undefined);
}

interface KnownRow {
  n: number;
  tx_hash: string | null;
  pinned: PinnedPayment;
  created_at: Date;
  before: string | null;
}

/** In the order of the names; undefined for a record without a transaction. */
async function readKnown(sql: Sql, network: Network, names: readonly ObservationName[]) {
  const rows = await sql<KnownRow[]>`
    select t.n, p.tx_hash, p.before, p.created_at,
           json_build_object('to', p.to_address, 'asset', p.asset, 'amount', p.amount, 'issuer', p.issuer,
                             'contract', p.contract, 'decimals', p.decimals, 'memo', p.memo) as pinned
    from json_to_recordset(${JSON.stringify(names.map((name, n) => ({ ...name, n })))}::text::json)
        as t(n int, merchant_id id, connection_id id, kind text, record_id id)
      cross join lateral (
        select r.tx_hash, r.to_address, r.asset, r.amount, r.issuer, r.contract, r.decimals, r.memo, r.created_at,
               ${sql.unsafe(REQUEST_SETTLEMENT)} as before
        from payment_requests r
        where t.kind = 'payment_request' and r.merchant_id = t.merchant_id and r.request_id = t.record_id
          and r.connection_id = t.connection_id
        union all
        select o.tx_hash, o.to_address, o.asset, o.amount, o.issuer, o.contract, o.decimals, o.memo, o.created_at,
               ${sql.unsafe(PAYMENT_SETTLEMENT)}
        from agent_payments o
        where t.kind = 'agent_payment' and o.merchant_id = t.merchant_id and o.agent_payment_id = t.record_id
      ) p`;
  const known = new Map(rows.map((row) => [row.n, row]));
  return names.map((name, n) => {
    const row = known.get(n);
    if (!row || row.tx_hash === null) return undefined;
    const { tx_hash, before } = row;
    const pinned = { ...row.pinned, made: { at: toTimestamp(row.created_at), network } };
    return { ...name, network, tx_hash, pinned, before: before === null ? null : JSON.parse(before) };
  });
}

/** Returned without a lookup: any process may take it. */
export async function giveBack(
  sql: Sql,
  { network, lease, until }: { network: Network; lease: string; until: Date },
  now: Date,
): Promise<void> {
  await sql`
    update observations set lease = null, look_at = ${now}
    where network = ${network} and look_at = ${until} and lease = ${lease}`;
}

/**
 * Ends a lookup: schedules the next one, or none. False when the lease has expired and another process has it, so that
 * the finding no longer counts. The record is locked.
 */
export async function endLook(
  tx: Tx,
  name: ObservationName,
  lease: string,
  hasChanged: boolean,
  now: Date,
): Promise<boolean> {
  const isNamed = tx`
    merchant_id = ${name.merchant_id} and connection_id = ${name.connection_id} and kind = ${name.kind}
      and record_id = ${name.record_id} and lease = ${lease}`;
  const [row] = await tx<{ tries: number; changed_at: Date }[]>`
    select tries, changed_at from observations where ${isNamed} for update`;
  if (!row) return false;
  const changedAt = hasChanged ? now : row.changed_at;
  const next = addMs(now, pauseMs(hasChanged ? 0 : row.tries));
  if (next > addMs(changedAt, WATCHED_FOR_MS)) await tx`delete from observations where ${isNamed}`;
  else
    await tx`
      update observations
      set lease = null, look_at = ${next}, changed_at = ${changedAt}, tries = ${hasChanged ? 1 : row.tries + 1}
      where ${isNamed}`;
  return true;
}

/** When the network's next lookup is or was due; null when there is none. */
export async function nextLook(sql: Sql, network: Network): Promise<Date | null> {
  const [row] = await sql<{ look_at: Date }[]>`
    select look_at from observations where network = ${network} order by look_at limit 1`;
  return row?.look_at ?? null;
}
