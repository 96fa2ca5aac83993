import {
  exactJson,
  NETWORKS,
  type Network,
  type PaymentRequestStatus,
  type TxHashForm,
  txHashForm,
} from '@payassent/protocol';
import { compiled } from '../../db/compiled.ts';
import { type Database, type Fragment, type Sql, type Tx, transaction } from '../../db/open.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { decisionStands } from '../decisions/decide.ts';
import { isEnded } from '../endings/ending.ts';
import { watch } from '../observations/watch.ts';
import type { WhenHeld } from './create-sql.ts';
import { boundByCall } from './given-up.ts';
import { LISTED } from './listed.ts';
import {
  DECISION_CONTENT,
  EVENT_JSON,
  FINAL,
  FINAL_CONTENT,
  SHOWN_RECORD,
  WALLET_RECORD_JSON,
  WEBHOOK_ROWS,
} from './record-json.ts';
import type { RequestName } from './settle-sql.ts';

/** Which request a wallet means: two of its connections may have the same id. */
export interface WalletChoice {
  requestId: string;
  connectionId: string | null;
}

/** A report, ready to be judged. What it does not have is undefined, so that nothing is sent for it. */
export interface ReportRow {
  /** Its place in the statement, which sets it. */
  n: number;
  token_hash: string;
  /** As sent beside the token; absent when the token came alone. */
  device_id: string | undefined;
  request_id: string;
  connection_id: string | undefined;
  status: PaymentRequestStatus;
  /** The statuses that this report may move. */
  moves: readonly PaymentRequestStatus[];
  /** In each form, because only the statement learns the network. Those that equal `bare` are left out. */
  tx_hashes: Partial<Record<TxHashForm, string>> | undefined;
  reason: string | undefined;
  reason_text: string | undefined;
  /** Another device than the one that signed may report on. */
  takeover: true | undefined;
  event_id: string;
  at: Date;
  /** Undefined when the report decides nothing. */
  decision: ReportedDecision | undefined;
}

/** What the record says about a decision, as JSON text around the id of the device, which the statement finds. */
export interface ReportedDecision {
  before: string;
  after: string;
  key_id: number | undefined;
}

export interface MovedRow {
  connection_id: string;
  wallet_id: string;
  previous_status: PaymentRequestStatus;
  record: string;
  event: string;
  deliveries: number;
}

/**
 * Nothing moved: why is explained by a read. Held: another statement has the request or its connection's counter, or
 * moved it meanwhile.
 */
export type ReportOutcome = MovedRow | 'nothing' | 'held';

/**
 * Any number of reports of any wallets, credentials included: find and lock each request through the wallet's
 * connections, judge it on the locked row, number the events last. Requests and then counters are locked in the order
 * of their keys, as everywhere. A statement that is shared passes over what another one holds, so that no wallet waits
 * for somebody else's request; its report comes again alone and waits, as often as the request moves meanwhile.
 */
export function moveOnOne(
  db: Database,
  rows: readonly ReportRow[],
  whenHeld: WhenHeld,
  observed: readonly Network[],
  untilMs?: number,
): Promise<ReportOutcome[]> {
  if (whenHeld === 'pass over') return move(db, rows, whenHeld, observed);
  return transaction(db, async (tx) => {
    if (untilMs !== undefined) await boundByCall(tx, untilMs);
    for (const row of rows) await holdReported(tx, row);
    return move(tx, rows, whenHeld, observed);
  });
}

/**
 * Waits in a statement of its own, so that the one that judges begins with what was waited for. Were it to wait itself,
 * PostgreSQL would read the request again in its midst: with partitions, PostgreSQL 18.4 then took other bytes for it.
 */
async function holdReported(tx: Tx, { token_hash, request_id, connection_id }: ReportRow): Promise<void> {
  await tx`
    select from device_tokens dt
      join devices d on d.device_id = dt.device_id
      join connections c on c.wallet_id = d.wallet_id
      join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = ${request_id}
        and r.connection_id = c.connection_id
    where dt.token_hash = ${token_hash} and c.connection_id = coalesce(${connection_id ?? null}::id, c.connection_id)
    order by r.merchant_id, r.request_id, r.connection_id
    for update of r`;
}

async function move(
  sql: Sql,
  rows: readonly ReportRow[],
  whenHeld: WhenHeld,
  observed: readonly Network[],
): Promise<ReportOutcome[]> {
  rows.forEach((row, n) => {
    row.n = n;
  });
  const forms = whenHeld === 'wait' ? WAITING : PASSING;
  const watched = networksToWatch(rows, observed);
  const statement = watched.length > 0 ? forms.observed : forms.unobserved;
  const found = await statement(sql, { input: exactJson(rows), observed: watched });
  const outcomes: ReportOutcome[] = rows.map(() => 'nothing');
  for (const { n, is_held, ...row } of found)
    outcomes[n] = row.event === null ? (is_held ? 'held' : 'nothing') : (row as MovedRow);
  return outcomes;
}

/** None where no report brings a transaction: a decision without a hash is about a request that has none either. */
export function networksToWatch(rows: readonly ReportRow[], observed: readonly Network[]): Network[] {
  const bringsOne = rows.some(({ tx_hashes, decision }) => tx_hashes !== undefined || decision === undefined);
  return bringsOne ? [...observed] : [];
}

interface Parameters {
  input: string;
  observed: Network[];
}

type FoundRow = { n: number; is_held: boolean } & { [Name in keyof MovedRow]: MovedRow[Name] | null };

const formOf = (form: TxHashForm) => {
  const networks = NETWORKS.filter((network) => txHashForm(network) === form);
  return `when r.network in (${networks.map((network) => `'${network}'`).join(', ')}) then i.tx_hashes ->> '${form}'`;
};
/** The reported hash as the network of the request writes it; null where none was reported. */
const REPORTED_HASH = `coalesce(
        case ${(['prefixed', 'ton', 'hedera'] as const).map(formOf).join('\n          ')} end,
        i.tx_hashes ->> 'bare')`;

/**
 * What a report does, on one machine and on many: `r` is the request, `i` the report, `f` the locked request as it was
 * and the device that reports.
 */
export const REPORTED = `
        status = i.status, state_version = r.state_version + 1, updated_at = i.at,
        tx_hash = coalesce(r.tx_hash, ${REPORTED_HASH}), reason = i.reason, reason_text = i.reason_text,
        decided_by_device_id = f.device_id, listed_version = r.state_version + 1,
        decision = case when i.decision is null then r.decision
          else (i.decision ->> 'before' || f.device_id || (i.decision ->> 'after'))::json end`;
/** Whether the log has an entry for the decision. For an unsigned rejection it has the one of the end only. */
export const DECIDES = `i.decision is not null and (i.status <> 'rejected' or i.decision ->> 'key_id' is not null)`;
export const TAKEOVER = `nullif(f.status <> 'pending' and f.decided_by_device_id <> f.device_id, false)`;

/** The rule of `judgeReport` (protocol), on the locked row. */
export function mayReport(sql: Sql, at: Fragment) {
  return sql`r.status = any(i.moves)
        and not ${isEnded(sql, at)}
        and (r.status = 'pending' or r.decided_by_device_id = f.device_id or i.takeover)
        and (i.tx_hashes is null or r.tx_hash is null or r.tx_hash = ${sql.unsafe(REPORTED_HASH)})`;
}

function stands(sql: Sql): Fragment {
  const keyId = sql`(i.decision ->> 'key_id')::bigint`;
  return decisionStands(sql, { keyId, status: sql`i.status`, of: sql`r.wallet_id` });
}

const WAITING = { observed: moveForm('wait', true), unobserved: moveForm('wait', false) };
const PASSING = { observed: moveForm('pass over', true), unobserved: moveForm('pass over', false) };

function moveForm(whenHeld: WhenHeld, isObserved: boolean) {
  return compiled<FoundRow, Parameters>((sql, { input, observed }) => {
    const at = sql`i.at`;
    return sql`
    with input as materialized (
      select * from json_to_recordset(${input}::text::json) as i(
        n int, token_hash text, device_id id, request_id id, connection_id id, status text, moves text[], tx_hashes json,
        reason text, reason_text text, takeover boolean, event_id id, at timestamptz, decision json)
      -- True of all. It tells the planner that there are few, so it looks rows up by their keys.
      where i.n between 0 and 1000
    ), named as materialized (
      select i.n, w.device_id, r.merchant_id, i.request_id, r.connection_id, r.state_version
      from input i
        -- Look-ups with a limit: plain joins are planned as scans while tables are small, and stay so.
        cross join lateral (
          select d.device_id, d.wallet_id
          from device_tokens dt
            cross join lateral (select * from devices d where d.device_id = dt.device_id limit 1) d
          where dt.token_hash = i.token_hash and d.device_id = coalesce(i.device_id, d.device_id)
            and ${deviceIsUsable(sql, at)} and dt.first_used_at is not null
          limit 1
        ) w
        cross join lateral (
          -- By its id alone a request must be the only one of the wallet.
          select min(r.merchant_id) as merchant_id, min(r.connection_id) as connection_id,
                 min(r.state_version) as state_version
          from (
            select r.merchant_id, r.connection_id, r.state_version
            from connections c
              join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = i.request_id
                and r.connection_id = c.connection_id
            where c.wallet_id = w.wallet_id and c.connection_id = coalesce(i.connection_id, c.connection_id)
            limit 2
          ) r
          having count(*) = 1
        ) r
    ), found as materialized (
      select nm.*, r.status, r.decided_by_device_id
      from named nm
        join payment_requests r on r.merchant_id = nm.merchant_id and r.request_id = nm.request_id
          and r.connection_id = nm.connection_id
          -- One that has moved since the statement began stands in lists that the statement does not see: not now.
          and r.state_version = nm.state_version
        ${whenHeld === 'wait' ? sql`` : sql`join connection_heads h on h.connection_id = nm.connection_id`}
      order by r.merchant_id, r.request_id, r.connection_id
      for update of ${whenHeld === 'wait' ? sql`r` : sql`r, h skip locked`}
    ), moved as (
      update payment_requests r set ${sql.unsafe(REPORTED)}
      from found f join input i on i.n = f.n
      where r.merchant_id = f.merchant_id and r.request_id = f.request_id and r.connection_id = f.connection_id
        and ${mayReport(sql, at)}
        and (i.decision is null or ${stands(sql)})
      returning i.n, i.event_id, r.merchant_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version,
        r.tx_hash, r.reason, r.decision, ${sql.unsafe(DECIDES)} as decides, r.facts_digest, r.network, r.created_at,
        r.written_by, r.expires_at, r.updated_at, f.status as previous_status, ${sql.unsafe(WALLET_RECORD_JSON)} as record,
        ${sql.unsafe(TAKEOVER)} as takeover
    ), numbered as materialized (
      select m.*, row_number() over (partition by m.connection_id order by m.n) as number,
             count(*) over (partition by m.connection_id) as of_connection
      from moved m
    ), ${sql.unsafe(LISTED)}, head as (
      insert into connection_heads as h (merchant_id, connection_id, last_sequence)
      select merchant_id, connection_id, of_connection from numbered where number = 1 order by connection_id
      on conflict (connection_id) do update set last_sequence = h.last_sequence + excluded.last_sequence
      returning h.connection_id, h.last_sequence
    ), event as (
      insert into payment_request_events as e (
        connection_id, sequence, event_id, merchant_id, request_id, type, status, previous_status, state_version, actor,
        tx_hash, reason, takeover, occurred_at)
      select m.connection_id, h.last_sequence - m.of_connection + m.number, m.event_id, m.merchant_id, m.request_id,
             'payment_request.' || m.status, m.status, m.previous_status, m.state_version, 'wallet', m.tx_hash,
             m.reason, m.takeover, m.updated_at
      from numbered m join head h on h.connection_id = m.connection_id
      returning e.event_id, e.sequence, e.type, ${sql.unsafe(EVENT_JSON)} as event
    ), said as materialized (
      select e.event_id, m.merchant_id, e.type, m.updated_at as occurred_at, e.sequence,
             ${sql.unsafe(SHOWN_RECORD)} as record, m.previous_status, m.takeover, m.updated_at as now
      from event e join numbered m on m.event_id = e.event_id
    ), logged as (
      insert into log_queue (type, at, subject, content)
      select l.type, m.updated_at, 'request ' || m.connection_id || ' ' || m.request_id, l.content::json
      from numbered m join event e on e.event_id = m.event_id cross join lateral (
        select 'decision' as type, ${sql.unsafe(DECISION_CONTENT)} as content where m.decides
        union all
        select 'final' as type, ${sql.unsafe(FINAL_CONTENT)} as content
        where m.status in (${sql.unsafe(FINAL)})
      ) l
    ), ${isObserved ? sql`watched as (${watch(sql, 'payment_request', sql`numbered`, observed, sql`m.updated_at`)}),` : sql``}
    ${sql.unsafe(WEBHOOK_ROWS)}
    select nm.n, f.n is null as is_held, m.connection_id, m.wallet_id, m.previous_status, m.record, e.event,
           (select count(*) from delivery)::int as deliveries
    from named nm left join found f on f.n = nm.n left join numbered m on m.n = nm.n
      left join event e on e.event_id = m.event_id`;
  });
}

export interface ReportedRow extends RequestName {
  network: Network;
  status: PaymentRequestStatus;
  tx_hash: string | null;
  decided_by_device_id: string | null;
  is_ended: boolean;
  /** A device of the wallet has a decision key, so approvals have to be signed. */
  must_sign: boolean;
  record: string;
}

/** Every request of the wallet with this id; more than one when two of its connections have it. */
export async function findOnOne(
  sql: Sql,
  walletId: string,
  choice: WalletChoice,
  now: Date,
): Promise<ReportedRow[]> {
  return sql<ReportedRow[]>`
    select r.merchant_id, r.request_id, r.connection_id, r.network, r.status, r.tx_hash, r.decided_by_device_id,
           ${isEnded(sql, now)} as is_ended,
           exists (select from decision_keys k where k.wallet_id = r.wallet_id and k.ended_at is null) as must_sign,
           ${sql.unsafe(WALLET_RECORD_JSON)} as record
    from connections c
      join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = ${choice.requestId}
        and r.connection_id = c.connection_id
    where c.wallet_id = ${walletId} and c.connection_id = coalesce(${choice.connectionId}::id, c.connection_id)
    order by r.merchant_id, r.connection_id limit 2`;
}

/** A repeat by the deciding device may bring the transaction's hash later, once. */
export async function addHashOnOne(
  db: Sql,
  name: RequestName,
  device: { walletId: string; deviceId: string },
  status: PaymentRequestStatus,
  txHash: string,
  { now, observed }: { now: Date; observed: readonly Network[] },
): Promise<string | undefined> {
  const [row] = await db<{ record: string }[]>`
    with moved as (
    update payment_requests r set tx_hash = ${txHash}, updated_at = ${now}
    where r.merchant_id = ${name.merchant_id} and r.request_id = ${name.request_id}
      and r.connection_id = ${name.connection_id} and r.wallet_id = ${device.walletId}
      and r.status = ${status} and r.decided_by_device_id = ${device.deviceId} and r.tx_hash is null
    returning r.*, ${db.unsafe(WALLET_RECORD_JSON)} as record
    ) ${observed.length === 0 ? db`` : db`, watched as (${watch(db, 'payment_request', db`moved`, [...observed], now)})`}
    select record from moved`;
  return row?.record;
}
