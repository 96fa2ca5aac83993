import type { Network, PaymentRequestStatus } from '@payassent/protocol';
import { compiled } from '../../db/compiled.ts';
import type { Database, Sql } from '../../db/open.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { decisionStands } from '../decisions/decide.ts';
import { isEnded } from '../endings/ending.ts';
import { watch } from '../observations/watch.ts';
import {
  DECISION_CONTENT,
  EVENT_JSON,
  FINAL,
  FINAL_CONTENT,
  RECORD_JSON,
  WEBHOOK_ROWS,
} from './record-json.ts';
import type { RequestName } from './settle-sql.ts';

/** Which request a wallet means: two of its connections may have the same id. */
export interface WalletChoice {
  requestId: string;
  connectionId: string | null;
}

export interface StatusReport extends WalletChoice {
  tokenHash: string;
  /** As sent beside the token; absent when the token came alone. */
  deviceId: string | null;
  status: PaymentRequestStatus;
  /** The statuses that this report may move. */
  from: readonly PaymentRequestStatus[];
  txHash: string | null;
  reason: string | null;
  reasonText: string | null;
  /** Another device than the one that signed may report on. */
  takeover: boolean;
  eventId: string;
  /** Networks whose transactions are looked up. */
  observed: readonly Network[];
  /** What the record says about a decision, as JSON text around the id of the device; null when none is made. */
  decision: { before: string; after: string; keyId: number | null } | null;
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
 * A wallet's report, credential included: find and lock the request through the wallet's connections, judge it on the
 * locked row, number the event last. Nothing is answered when the report moves nothing; why is explained by a read.
 */
export async function moveRequest(sql: Sql, report: StatusReport, now: Date): Promise<MovedRow | undefined> {
  const { decision, observed } = report;
  const [row] = await formOf(decision, observed.length > 0)(sql, {
    ...report,
    from: [...report.from],
    observed: [...observed],
    before: decision?.before ?? null,
    after: decision?.after ?? null,
    keyId: decision?.keyId ?? null,
    now,
  });
  return row;
}

interface MoveParameters extends Omit<StatusReport, 'decision' | 'from' | 'observed'> {
  from: PaymentRequestStatus[];
  observed: Network[];
  before: string | null;
  after: string | null;
  keyId: number | null;
  now: Date;
}

type Decides = 'nothing' | 'unsigned' | 'signed';

const FORMS = new Map(
  (['nothing', 'unsigned', 'signed'] as const).flatMap((decides) =>
    [true, false].map((isObserved) => [`${decides} ${isObserved}`, moveForm(decides, isObserved)] as const),
  ),
);

function formOf(decision: StatusReport['decision'], isObserved: boolean): ReturnType<typeof moveForm> {
  const decides: Decides = decision === null ? 'nothing' : decision.keyId === null ? 'unsigned' : 'signed';
  const form = FORMS.get(`${decides} ${isObserved}`);
  if (!form) throw new Error(`There is no statement for a report that decides ${decides}.`);
  return form;
}

function moveForm(decides: Decides, isObserved: boolean) {
  return compiled<MovedRow, MoveParameters>((sql, report) => {
    const { txHash, now } = report;
    return sql`
    with caller as materialized (
      select d.device_id, d.wallet_id
      from device_tokens dt
        -- A look-up with a limit: a plain join is planned as a scan while there are few devices, and stays one.
        cross join lateral (select * from devices d where d.device_id = dt.device_id limit 1) d
      where dt.token_hash = ${report.tokenHash} and d.device_id = coalesce(${report.deviceId}::id, d.device_id)
        and ${deviceIsUsable(sql, now)} and dt.first_used_at is not null
    ), found as materialized (
      select r.merchant_id, r.request_id, r.connection_id, r.status, r.decided_by_device_id, w.device_id
      from caller w
        join connections c on c.wallet_id = w.wallet_id
        join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = ${report.requestId}
          and r.connection_id = c.connection_id
      where c.connection_id = coalesce(${report.connectionId}::id, c.connection_id)
      order by r.merchant_id, r.request_id, r.connection_id
      for update of r
    ), moved as (
      update payment_requests r set
        status = ${report.status}, state_version = r.state_version + 1, updated_at = ${now},
        tx_hash = coalesce(r.tx_hash, ${txHash}), reason = ${report.reason}, reason_text = ${report.reasonText},
        decided_by_device_id = f.device_id,
        decision = ${decides === 'nothing' ? sql`r.decision` : sql`(${report.before}::text || f.device_id || ${report.after}::text)::json`}
      from found f
      where r.merchant_id = f.merchant_id and r.request_id = f.request_id and r.connection_id = f.connection_id
        and (select count(*) from found) = 1
        and r.status = any(${report.from}::text[])
        and not ${isEnded(sql, now)}
        and (r.status = 'pending' or r.decided_by_device_id = f.device_id or ${report.takeover})
        and (${txHash}::text is null or r.tx_hash is null or r.tx_hash = ${txHash})
        ${decides === 'nothing' ? sql`` : sql`and ${decisionStands(sql, decides === 'signed' ? report.keyId : null)}`}
      returning r.merchant_id, r.request_id, r.connection_id, r.wallet_id, r.status, r.state_version, r.tx_hash,
        r.reason, r.decision, r.facts_digest, r.network, r.updated_at, f.status as previous_status, ${sql.unsafe(RECORD_JSON)} as record,
        nullif(f.status <> 'pending' and f.decided_by_device_id <> f.device_id, false) as takeover
    ), head as (
      insert into connection_heads as h (connection_id, last_sequence) select connection_id, 1 from moved
      on conflict (connection_id) do update set last_sequence = h.last_sequence + 1
      returning h.last_sequence
    ), event as (
      insert into payment_request_events as e (
        connection_id, sequence, event_id, merchant_id, request_id, type, status, previous_status, state_version, actor,
        tx_hash, reason, takeover, occurred_at)
      select m.connection_id, h.last_sequence, ${report.eventId}, m.merchant_id, m.request_id,
             'payment_request.' || m.status, m.status, m.previous_status, m.state_version, 'wallet', m.tx_hash,
             m.reason, m.takeover, ${now}
      from moved m cross join head h
      returning e.event_id, e.sequence, e.type, ${sql.unsafe(EVENT_JSON)} as event
    ), said as materialized (
      select e.event_id, m.merchant_id, e.type, ${now}::timestamptz as occurred_at, e.sequence, m.record,
             m.previous_status, m.takeover, ${now}::timestamptz as now
      from event e cross join moved m
    ), logged as (
      insert into log_queue (type, at, subject, content)
      select l.type, ${now}, 'request ' || m.connection_id || ' ' || m.request_id, l.content::json
      from moved m cross join event e cross join lateral (
        ${decides === 'nothing' ? sql`` : sql`select 'decision' as type, ${sql.unsafe(DECISION_CONTENT)} as content union all`}
        select 'final' as type, ${sql.unsafe(FINAL_CONTENT)} as content
        where m.status in (${sql.unsafe(FINAL)})
      ) l
    ), ${isObserved ? sql`watched as (${watch(sql, 'payment_request', sql`moved`, report.observed, now)}),` : sql``}
    ${sql.unsafe(WEBHOOK_ROWS)}
    select m.connection_id, m.wallet_id, m.previous_status, m.record, e.event,
           (select count(*) from delivery)::int as deliveries
    from moved m cross join event e`;
  });
}

export interface ReportedRow extends RequestName {
  status: PaymentRequestStatus;
  tx_hash: string | null;
  decided_by_device_id: string | null;
  is_ended: boolean;
  /** A device of the wallet has a decision key, so decisions have to be signed. */
  must_sign: boolean;
  record: string;
}

/** Every request of the wallet with this id; more than one when two of its connections have it. */
export async function findForWallet(
  sql: Sql,
  walletId: string,
  choice: WalletChoice,
  now: Date,
): Promise<ReportedRow[]> {
  return sql<ReportedRow[]>`
    select r.merchant_id, r.request_id, r.connection_id, r.status, r.tx_hash, r.decided_by_device_id,
           ${isEnded(sql, now)} as is_ended, not ${decisionStands(sql, null)} as must_sign,
           ${sql.unsafe(RECORD_JSON)} as record
    from connections c
      join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = ${choice.requestId}
        and r.connection_id = c.connection_id
    where c.wallet_id = ${walletId} and c.connection_id = coalesce(${choice.connectionId}::id, c.connection_id)
    order by r.merchant_id, r.connection_id limit 2`;
}

/** A repeat by the deciding device may bring the transaction's hash later, once. */
export async function addTxHash(
  db: Database,
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
    returning r.*, ${db.unsafe(RECORD_JSON)} as record
    ) ${observed.length === 0 ? db`` : db`, watched as (${watch(db, 'payment_request', db`moved`, [...observed], now)})`}
    select record from moved`;
  return row?.record;
}
