import { exactJson, type Network, type PaymentRequestStatus } from '@payassent/protocol';
import { byMerchant, ofMerchant } from '../../db/machine.ts';
import { type Database, type Sql, transaction } from '../../db/open.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { decisionStands } from '../decisions/decide.ts';
import { isEnded } from '../endings/ending.ts';
import { watch } from '../observations/watch.ts';
import { type CreateOutcome, type CreateRow, MAX_INT, NOT_CREATED, type WhenHeld } from './create-sql.ts';
import { WALLET_RECORD_JSON } from './record-json.ts';
import { dueRows, type RequestName, type RequestSelection, type SettledRow } from './settle-sql.ts';
import {
  type MovedRow,
  networksToWatch,
  type ReportedRow,
  type ReportOutcome,
  type ReportRow,
  type WalletChoice,
} from './status-sql.ts';

/**
 * What changes requests on a distributed database: calls of the functions in machine-functions.ts, one for each merchant.
 */

export function insertOnMachines(
  sql: Sql,
  rows: readonly CreateRow[],
  now: Date,
  whenHeld: WhenHeld,
  maxPending: number,
): Promise<CreateOutcome[]> {
  const cap = Math.min(maxPending, MAX_INT);
  return byMerchant(
    rows,
    (row) => row.merchant_id,
    async (merchantId, own) => {
      const input = exactJson(own.map((row, n) => ({ ...row, n })));
      const outcomes = await sql<(CreateOutcome & { n: number })[]>`
        select * from create_requests(
          ${merchantId}::id, ${input}::text, ${now}::timestamptz, ${cap}::int, ${whenHeld === 'wait'}::boolean)`;
      const byNumber = new Map(outcomes.map((outcome) => [outcome.n, outcome]));
      return own.map((_row, n) => byNumber.get(n) ?? NOT_CREATED);
    },
  );
}

/** A report whose device is known, and a request that it may mean. */
interface NamedReport {
  n: number;
  device_id: string;
  merchant_id: string;
  connection_id: string;
  stands: boolean;
}

export async function moveOnMachines(
  sql: Sql,
  rows: readonly ReportRow[],
  whenHeld: WhenHeld,
  observed: readonly Network[],
  _untilMs?: number,
): Promise<ReportOutcome[]> {
  const outcomes: ReportOutcome[] = rows.map(() => 'nothing');
  const meant = await onlyMeant(sql, rows, await nameReports(sql, rows));
  await byMerchant(
    meant,
    (report) => report.merchant_id,
    async (merchantId, own) => {
      const reports = own.map((report) => ({ ...(rows[report.n] as ReportRow), ...report }));
      const watched = networksToWatch(reports, observed);
      const found = await sql<({ n: number; is_held: boolean } & MovedRow)[]>`
        select * from move_requests(
          ${merchantId}::id, ${exactJson(reports)}::text, ${watched}::text[], ${whenHeld === 'wait'}::boolean)`;
      for (const { n, is_held, ...row } of found)
        outcomes[n] = row.event === null ? (is_held ? 'held' : 'nothing') : row;
      return [];
    },
  );
  return outcomes;
}

/** The wallet's half, on the coordinator: whose device it is, what it may be about, and whether its decision stands. */
function nameReports(sql: Sql, rows: readonly ReportRow[]): Promise<NamedReport[]> {
  const input = exactJson(
    rows.map(({ token_hash, device_id, connection_id, status, at, decision }, n) => ({
      n,
      token_hash,
      device_id,
      connection_id,
      status,
      at,
      decides: decision !== undefined,
      key_id: decision?.key_id,
    })),
  );
  return sql<NamedReport[]>`
    select i.n, d.device_id, c.merchant_id, c.connection_id,
           not i.decides
             or ${decisionStands(sql, { keyId: sql`i.key_id`, status: sql`i.status`, of: sql`d.wallet_id` })} as stands
    from json_to_recordset(${input}::text::json)
        as i(n int, token_hash text, device_id id, connection_id id, status text, at timestamptz, decides boolean,
          key_id bigint)
      join device_tokens dt on dt.token_hash = i.token_hash and dt.first_used_at is not null
      join devices d on d.device_id = dt.device_id and d.device_id = coalesce(i.device_id, d.device_id)
        and ${deviceIsUsable(sql, sql`i.at`)}
      join connections c on c.wallet_id = d.wallet_id and c.connection_id = coalesce(i.connection_id, c.connection_id)`;
}

/** By its id alone a request must be the only one of the wallet. */
async function onlyMeant(
  sql: Sql,
  rows: readonly ReportRow[],
  named: readonly NamedReport[],
): Promise<(NamedReport & { state_version: number })[]> {
  const found = await byMerchant(
    named,
    (report) => report.merchant_id,
    async (merchantId, own) => {
      const states = await sql<{ place: number; state_version: number }[]>`
        select i.place, r.state_version
        from json_to_recordset(${exactJson(
          own.map(({ n, connection_id }, place) => ({
            place,
            request_id: rows[n]?.request_id,
            connection_id,
          })),
        )}::text::json) as i(place int, request_id id, connection_id id)
          join payment_requests r on r.merchant_id = ${merchantId} and r.request_id = i.request_id
            and r.connection_id = i.connection_id`;
      const versions = new Map(states.map(({ place, state_version }) => [place, state_version]));
      return own.map((report, place) => ({ ...report, state_version: versions.get(place) }));
    },
  );
  const there = found.filter((report) => report.state_version !== undefined);
  const counts = new Map<number, number>();
  for (const { n } of there) counts.set(n, (counts.get(n) ?? 0) + 1);
  return there.filter(({ n }) => counts.get(n) === 1) as (NamedReport & { state_version: number })[];
}

/** A selection about one merchant, or the overdue of all, merchant by merchant. */
export async function settleOnMachines(
  db: Sql,
  selection: RequestSelection,
  moment: { now: Date; seed: string },
): Promise<SettledRow[]> {
  if (selection.kind === 'requests') {
    const merchants = [...new Set(selection.requests.map((name) => name.merchant_id))];
    const parts = merchants.map((merchantId) =>
      settleOf(
        db,
        merchantId,
        { kind: 'requests', requests: selection.requests.filter((name) => name.merchant_id === merchantId) },
        moment,
      ),
    );
    return (await Promise.all(parts)).flat();
  }
  if (selection.kind !== 'overdue')
    return settleOf(
      db,
      'merchantId' in selection ? selection.merchantId : selection.merchant_id,
      selection,
      moment,
    );
  const merchants = await db<{ merchant_id: string }[]>`
    select distinct merchant_id from pending_requests where expires_at < ${moment.now} limit ${selection.limit}`;
  const rows: SettledRow[] = [];
  for (const { merchant_id } of merchants) rows.push(...(await settleOf(db, merchant_id, selection, moment)));
  return rows;
}

async function settleOf(
  db: Sql,
  merchantId: string,
  selection: RequestSelection,
  { now, seed }: { now: Date; seed: string },
): Promise<SettledRow[]> {
  const isShown = selection.kind === 'requests' || selection.kind === 'withdrawn';
  const work = async (tx: Sql): Promise<SettledRow[]> => {
    const own = ofMerchant(tx, merchantId);
    const due = await own`
      select due.*, ('evt_' || substr(${seed}::text, 5, 10)
               || upper(substr(md5(${seed}::text || due.connection_id || ' ' || due.request_id), 1, 16)))::id as event_id
      from (${dueRows(own, selection, now, merchantId)}) due`;
    if (due.length === 0) return [];
    const ended = await tx<Omit<SettledRow, 'merchant_id'>[]>`
      select * from end_requests(${merchantId}::id, ${exactJson(due)}::text, ${now}::timestamptz)`;
    return ended.map(({ record, event, ...row }) => ({
      ...row,
      merchant_id: merchantId,
      record: isShown ? record : null,
      event: isShown ? event : null,
    }));
  };
  return 'afterCommit' in db ? work(db) : transaction(db as Database, work);
}

/** Every request of the wallet with this id, as `findForWallet` finds them. */
export async function findOnMachines(
  sql: Sql,
  walletId: string,
  { requestId, connectionId }: WalletChoice,
  now: Date,
): Promise<ReportedRow[]> {
  const connections = await sql<{ merchant_id: string; connection_id: string }[]>`
    select merchant_id, connection_id from connections
    where wallet_id = ${walletId} and connection_id = coalesce(${connectionId}::id, connection_id)`;
  const [wallet] = await sql<{ must_sign: boolean }[]>`
    select exists (select from decision_keys k where k.wallet_id = ${walletId} and k.ended_at is null) as must_sign`;
  const found = await byMerchant(
    connections,
    (connection) => connection.merchant_id,
    async (merchantId, own) => {
      const machine = ofMerchant(sql, merchantId);
      return [
        await machine<Omit<ReportedRow, 'must_sign'>[]>`
          select r.merchant_id, r.request_id, r.connection_id, r.network, r.status, r.tx_hash, r.decided_by_device_id,
                 ${isEnded(machine, now)} as is_ended, ${machine.unsafe(WALLET_RECORD_JSON)} as record
          from payment_requests r
          where r.merchant_id = ${merchantId} and r.request_id = ${requestId}
            and r.connection_id = any(${own.map((each) => each.connection_id)}::id[])`,
      ];
    },
  );
  return found
    .flatMap((rows) => rows ?? [])
    .map((row) => ({ ...row, must_sign: wallet?.must_sign ?? false }));
}

/** As `addTxHash`: the hash, the record as it is then, and the look at the chain. */
export function addHashOnMachine(
  db: Sql,
  name: RequestName,
  device: { walletId: string; deviceId: string },
  status: PaymentRequestStatus,
  txHash: string,
  { now, observed }: { now: Date; observed: readonly Network[] },
): Promise<string | undefined> {
  return transaction(db as Database, async (tx) => {
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
