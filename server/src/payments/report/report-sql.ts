import {
  NETWORKS,
  type Network,
  type PaymentRequestStatus,
  type TxHashForm,
  txHashForm,
} from '@payassent/protocol';
import { layoutOf, ofMerchant } from '../../db/layout.ts';
import { type Database, type Fragment, type Sql, transaction } from '../../db/open.ts';
import { watch } from '../../features/observations/watch.ts';
import type { RequestName } from '../close/close-sql.ts';
import { isEnded } from '../close/when-ended.ts';
import { WALLET_RECORD_JSON } from '../record/record-json.ts';

/** Which request a wallet means: two of its connections may have the same id. */
export interface WalletChoice {
  requestId: string;
  connectionId: string | null;
}

/** A report, ready to be judged. A member that it does not have is undefined, so that nothing is sent for it. */
export interface ReportRow {
  /** Its index in the statement, which sets it. */
  n: number;
  token_hash: string;
  /** As sent with the token; absent when the token came alone. */
  device_id: string | undefined;
  request_id: string;
  connection_id: string | undefined;
  status: PaymentRequestStatus;
  /** The statuses that this report may move. */
  moves: readonly PaymentRequestStatus[];
  /** In each form, because only the statement learns the network. Those that equal `bare` are omitted. */
  tx_hashes: Partial<Record<TxHashForm, string>> | undefined;
  reason: string | undefined;
  reason_text: string | undefined;
  /** A device other than the one that signed may continue the reports. */
  takeover: true | undefined;
  event_id: string;
  at: Date;
  /** Undefined when the report decides nothing. */
  decision: ReportedDecision | undefined;
}

/** The record's text about a decision, as JSON around the id of the device, which the statement finds. */
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
 * Nothing moved: a read explains why. Held: another statement has locked the request or its connection's counter, or
 * moved it meanwhile.
 */
export type ReportOutcome = MovedRow | 'nothing' | 'held';

/** The columns of reports in a statement, from the members of `ReportRow`. */
export const REPORT_COLUMNS = `n int, device_id id, request_id id, connection_id id, status text, moves text[],
    tx_hashes json, reason text, reason_text text, takeover boolean, event_id id, at timestamptz, decision json`;

/** A statement's result for report `n`; a report that matches no request is missing. */
export type ReportAnswer = { n: number; is_held: boolean } & {
  [Name in keyof MovedRow]: MovedRow[Name] | null;
};

export function outcomesOf(rows: readonly ReportRow[], answers: readonly ReportAnswer[]): ReportOutcome[] {
  const outcomes: ReportOutcome[] = rows.map(() => 'nothing');
  for (const { n, is_held, ...row } of answers)
    outcomes[n] = row.event === null ? (is_held ? 'held' : 'nothing') : (row as MovedRow);
  return outcomes;
}

/** None where no report brings a transaction: a decision without a hash is about a request that has none either. */
export function networksToWatch(rows: readonly ReportRow[], observed: readonly Network[]): Network[] {
  const bringsOne = rows.some(({ tx_hashes, decision }) => tx_hashes !== undefined || decision === undefined);
  return bringsOne ? [...observed] : [];
}

const formOf = (form: TxHashForm) => {
  const networks = NETWORKS.filter((network) => txHashForm(network) === form);
  return `when r.network in (${networks.map((network) => `'${network}'`).join(', ')}) then i.tx_hashes ->> '${form}'`;
};
/** The reported hash in the form of the request's network; null where none was reported. */
const REPORTED_HASH = `coalesce(
        case ${(['prefixed', 'ton', 'hedera'] as const).map(formOf).join('\n          ')} end,
        i.tx_hashes ->> 'bare')`;

/**
 * The effect of a report, on one machine and on many: `r` is the request, `i` the report, `f` the locked request before
 * it and the reporting device.
 */
export const REPORTED = `
        status = i.status, state_version = r.state_version + 1, updated_at = i.at,
        tx_hash = coalesce(r.tx_hash, ${REPORTED_HASH}), reason = i.reason, reason_text = i.reason_text,
        decided_by_device_id = f.device_id, listed_version = r.state_version + 1,
        decision = case when i.decision is null then r.decision
          else (i.decision ->> 'before' || f.device_id || (i.decision ->> 'after'))::json end`;
/** Whether the log has an entry for the decision. For an unsigned rejection it has only that of the end. */
export const DECIDES = `i.decision is not null and (i.status <> 'rejected' or i.decision ->> 'key_id' is not null)`;
export const TAKEOVER = `nullif(f.status <> 'pending' and f.decided_by_device_id <> f.device_id, false)`;

/** The rule of `judgeReport` (protocol), on the locked row. */
export function mayReport(sql: Sql, at: Fragment) {
  return sql`r.status = any(i.moves)
        and not ${isEnded(sql, at)}
        and (r.status = 'pending' or r.decided_by_device_id = f.device_id or i.takeover)
        and (i.tx_hashes is null or r.tx_hash is null or r.tx_hash = ${sql.unsafe(REPORTED_HASH)})`;
}

export interface ReportedRow extends RequestName {
  network: Network;
  status: PaymentRequestStatus;
  tx_hash: string | null;
  decided_by_device_id: string | null;
  is_ended: boolean;
  record: string;
}

/** Every request of the wallet with this id; more than one when two of its connections have it. */
export async function findForWallet(
  sql: Sql,
  walletId: string,
  { requestId, connectionId }: WalletChoice,
  now: Date,
): Promise<ReportedRow[]> {
  const ofWallet = sql`wallet_id = ${walletId} and connection_id = coalesce(${connectionId}::id, connection_id)`;
  const merchants = async () => {
    const rows = await sql<
      { merchant_id: string }[]
    >`select distinct merchant_id from connections where ${ofWallet}`;
    return rows.map((row) => row.merchant_id);
  };
  const found = await layoutOf(sql).across(sql, merchants, (own, merchantId) => {
    const ofMerchant = merchantId === undefined ? own`` : own`and c.merchant_id = ${merchantId}`;
    return own<ReportedRow[]>`
      select r.merchant_id, r.request_id, r.connection_id, r.network, r.status, r.tx_hash, r.decided_by_device_id,
             ${isEnded(own, now)} as is_ended, ${own.unsafe(WALLET_RECORD_JSON)} as record
      from connections c
        join payment_requests r on r.merchant_id = c.merchant_id and r.request_id = ${requestId}
          and r.connection_id = c.connection_id
      where c.wallet_id = ${walletId} and c.connection_id = coalesce(${connectionId}::id, c.connection_id) ${ofMerchant}
      order by r.merchant_id, r.connection_id limit 2`;
  });
  return found.flat();
}

/** Whether a device of the wallet has a decision key, so that approvals have to be signed. */
export async function mustSign(sql: Sql, walletId: string): Promise<boolean> {
  const rows = await sql`
    select from decision_keys k where k.wallet_id = ${walletId} and k.ended_at is null limit 1`;
  return rows.length > 0;
}

/**
 * A repeat by the deciding device may bring the transaction's hash later, once: the updated record, or undefined when
 * it is no such repeat any more.
 */
export function addTxHash(
  db: Database,
  name: RequestName,
  device: { walletId: string; deviceId: string },
  status: PaymentRequestStatus,
  txHash: string,
  { now, observed }: { now: Date; observed: readonly Network[] },
): Promise<string | undefined> {
  return transaction(db, async (tx) => {
    const own = ofMerchant(tx, name.merchant_id);
    const isNamed = own`r.merchant_id = ${name.merchant_id} and r.request_id = ${name.request_id}
      and r.connection_id = ${name.connection_id}`;
    const moved = await own`
      update payment_requests r set tx_hash = ${txHash}, updated_at = ${now}
      where ${isNamed} and r.wallet_id = ${device.walletId} and r.status = ${status}
        and r.decided_by_device_id = ${device.deviceId} and r.tx_hash is null
      returning r.request_id`;
    if (moved.length === 0) return undefined;
    const row = own`(select * from payment_requests r where ${isNamed})`;
    if (observed.length > 0) await watch(own, 'payment_request', row, [...observed], now);
    const [found] = await own<{ record: string }[]>`
      select ${own.unsafe(WALLET_RECORD_JSON)} as record from payment_requests r where ${isNamed}`;
    return found?.record;
  });
}
