import type { Network } from '@payassent/protocol';
import type { Settlement } from '@payassent/protocol/records';
import { isDistributed } from '../../db/layout.ts';
import { ofMerchant } from '../../db/machine.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { PAYMENT_SETTLEMENT, REQUEST_SETTLEMENT, SETTLEMENT } from '../observations/settlement-json.ts';
import type { ObservationName } from '../observations/watch.ts';
import type { PinnedPayment } from './chain.ts';

/** After the last change of the record or of what the chain says. */
export const WATCHED_FOR_MS = 7 * DAY_MS;
const FIRST_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
const GROWTH = 1.5;

function pauseMs(tries: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** Math.min(tries, 30));
}

/** Something to look up, and what is known about it. */
export interface Observation extends ObservationName {
  tx_hash: string;
  pinned: PinnedPayment;
  before: Settlement | null;
}

type ClaimedRow = ObservationName & {
  tx_hash: string | null;
  pinned: PinnedPayment;
  before: string | null;
};

/** The network's next due ones, which are this caller's until `until`. */
export async function claimDue(
  sql: Sql,
  network: Network,
  lease: string,
  limit: number,
  moment: { now: Date; until: Date },
): Promise<Observation[]> {
  const rows = isDistributed(sql)
    ? await claimOnMachines(sql, network, lease, limit, moment)
    : await sql<ClaimedRow[]>`
    with due as materialized (
      select ctid from observations
      where network = ${network} and look_at <= ${moment.now}
      order by look_at limit ${limit} for update skip locked
    ), taken as (
      update observations q set lease = ${lease}, look_at = ${moment.until}
      -- The rows are locked, so their places cannot change; joined by name, a kept plan would read the whole table.
      where q.ctid = any(array(select ctid from due))
      returning q.merchant_id, q.connection_id, q.kind, q.record_id
    )
    select t.*, p.tx_hash, p.before,
           json_build_object('to', p.to_address, 'asset', p.asset, 'amount', p.amount, 'issuer', p.issuer,
                             'contract', p.contract, 'decimals', p.decimals, 'memo', p.memo) as pinned
    from taken t cross join lateral (
      select r.tx_hash, r.to_address, r.asset, r.amount, r.issuer, r.contract, r.decimals, r.memo,
             ${sql.unsafe(REQUEST_SETTLEMENT)} as before
      from payment_requests r
      where t.kind = 'payment_request' and r.merchant_id = t.merchant_id and r.request_id = t.record_id
        and r.connection_id = t.connection_id
      union all
      select o.tx_hash, o.to_address, o.asset, o.amount, o.issuer, o.contract, o.decimals, o.memo,
             ${sql.unsafe(PAYMENT_SETTLEMENT)}
      from agent_payments o
      where t.kind = 'agent_payment' and o.agent_payment_id = t.record_id and o.merchant_id = t.merchant_id
    ) p`;
  return rows.flatMap(({ tx_hash, before, ...row }) =>
    tx_hash === null ? [] : [{ ...row, tx_hash, before: before === null ? null : JSON.parse(before) }],
  );
}

/** Those that are due are found over all machines, and taken on each as long as nobody else has. */
async function claimOnMachines(
  sql: Sql,
  network: Network,
  lease: string,
  limit: number,
  moment: { now: Date; until: Date },
): Promise<ClaimedRow[]> {
  const due = await sql<(ObservationName & { look_at: Date })[]>`
    select merchant_id, connection_id, kind, record_id, look_at from observations
    where network = ${network} and look_at <= ${moment.now} order by look_at limit ${limit}`;
  const claimed: ClaimedRow[] = [];
  for (const { look_at: _, ...name } of due) {
    const taken = await sql`
      update observations q set lease = ${lease}, look_at = ${moment.until}
      where q.merchant_id = ${name.merchant_id} and q.connection_id = ${name.connection_id} and q.kind = ${name.kind}
        and q.record_id = ${name.record_id} and q.look_at <= ${moment.now}
      returning q.record_id`;
    if (taken.length === 0) continue;
    const isRequest = name.kind === 'payment_request';
    const machine = ofMerchant(sql, name.merchant_id);
    const [row] = await sql<Omit<ClaimedRow, keyof ObservationName | 'before'>[]>`
      select p.tx_hash, json_build_object('to', p.to_address, 'asset', p.asset, 'amount', p.amount, 'issuer', p.issuer,
               'contract', p.contract, 'decimals', p.decimals, 'memo', p.memo) as pinned
      from ${
        isRequest
          ? sql`payment_requests p where p.merchant_id = ${name.merchant_id} and p.request_id = ${name.record_id}
              and p.connection_id = ${name.connection_id}`
          : sql`agent_payments p where p.agent_payment_id = ${name.record_id} and p.merchant_id = ${name.merchant_id}`
      }`;
    const [settlement] = await machine<{ before: string }[]>`
      select ${machine.unsafe(SETTLEMENT)} as before from settlements s
      where s.merchant_id = ${name.merchant_id} and s.connection_id = ${name.connection_id} and s.kind = ${name.kind}
        and s.record_id = ${name.record_id}`;
    if (row)
      claimed.push({ ...name, ...row, before: row.tx_hash === null ? null : (settlement?.before ?? null) });
  }
  return claimed;
}

/** Not looked up after all: the next who comes may. */
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
 * Ends a look: the next one has its time, or there is none. False when the lease is over and somebody else has it, so
 * that what was found no longer counts. The record is held.
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

/** When the network's next look is or was due; null when there is none. */
export async function nextLook(sql: Sql, network: Network): Promise<Date | null> {
  const [row] = await sql<{ look_at: Date }[]>`
    select look_at from observations where network = ${network} order by look_at limit 1`;
  return row?.look_at ?? null;
}
