import { exactJson, type Network } from '@payassent/protocol';
import { layoutOf, ofMerchant } from '../../db/layout.ts';
import { type Database, type Sql, transaction } from '../../db/open.ts';
import { deviceIsUsable } from '../../features/callers/device-token.ts';
import { decisionStands } from '../../features/decisions/decide.ts';
import { type ClosedRow, dueRows, isShownTo, type RequestSelection } from '../../payments/close/close-sql.ts';
import {
  type CreateOutcome,
  type CreateRow,
  capOf,
  NOT_CREATED,
  type WhenHeld,
} from '../../payments/create/create-sql.ts';
import {
  networksToWatch,
  outcomesOf,
  type ReportAnswer,
  type ReportOutcome,
  type ReportRow,
} from '../../payments/report/report-sql.ts';

/** Changes of requests: calls of the functions in functions.ts, one for each merchant. */

export function insertRequests(
  sql: Sql,
  rows: readonly CreateRow[],
  now: Date,
  whenHeld: WhenHeld,
  maxPending: number,
): Promise<CreateOutcome[]> {
  return layoutOf(sql).byMerchant(
    sql,
    rows,
    (row) => row.merchant_id,
    async (_node, own) => {
      const merchantId = own[0]?.merchant_id ?? '';
      const input = exactJson(own.map((row, n) => ({ ...row, n })));
      const outcomes = await sql<(CreateOutcome & { n: number })[]>`
        select * from create_requests(
          ${merchantId}::id, ${input}::text, ${now}::timestamptz, ${capOf(maxPending)}::int, ${whenHeld === 'wait'}::boolean)`;
      const byNumber = new Map(outcomes.map((outcome) => [outcome.n, outcome]));
      return own.map((_row, n) => byNumber.get(n) ?? NOT_CREATED);
    },
  );
}

/** A report of a known device, and a request that it may mean. */
interface NamedReport {
  n: number;
  device_id: string;
  merchant_id: string;
  connection_id: string;
  stands: boolean;
}

export async function moveRequests(
  sql: Sql,
  rows: readonly ReportRow[],
  whenHeld: WhenHeld,
  observed: readonly Network[],
): Promise<ReportOutcome[]> {
  const meant = await onlyMeant(sql, rows, await nameReports(sql, rows));
  const answers = await layoutOf(sql).across(
    sql,
    async () => [...new Set(meant.map((report) => report.merchant_id))],
    (_node, merchantId = '') => {
      const reports = meant
        .filter((report) => report.merchant_id === merchantId)
        .map((report) => ({ ...(rows[report.n] as ReportRow), ...report }));
      return sql<ReportAnswer[]>`
        select * from move_requests(
          ${merchantId}::id, ${exactJson(reports)}::text, ${networksToWatch(reports, observed)}::text[],
          ${whenHeld === 'wait'}::boolean)`;
    },
  );
  return outcomesOf(rows, answers.flat());
}

/**
 * The wallet's half, on the coordinator: the owner of the device, what it may report, and whether its decision is
 * valid.
 */
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

/** A request named by its id alone must be the wallet's only one. */
async function onlyMeant(
  sql: Sql,
  rows: readonly ReportRow[],
  named: readonly NamedReport[],
): Promise<(NamedReport & { state_version: number })[]> {
  const found = await layoutOf(sql).byMerchant(
    sql,
    named,
    (report) => report.merchant_id,
    async (_node, own, merchantId = '') => {
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
export async function closePending(
  db: Sql,
  selection: RequestSelection,
  moment: { now: Date; seed: string },
): Promise<ClosedRow[]> {
  if (selection.kind === 'requests') {
    const merchants = [...new Set(selection.requests.map((name) => name.merchant_id))];
    const parts = merchants.map((merchantId) =>
      closeOf(
        db,
        merchantId,
        { kind: 'requests', requests: selection.requests.filter((name) => name.merchant_id === merchantId) },
        moment,
      ),
    );
    return (await Promise.all(parts)).flat();
  }
  if (selection.kind !== 'overdue')
    return closeOf(
      db,
      'merchantId' in selection ? selection.merchantId : selection.merchant_id,
      selection,
      moment,
    );
  const merchants = await db<{ merchant_id: string }[]>`
    select distinct merchant_id from pending_requests where expires_at < ${moment.now} limit ${selection.limit}`;
  const rows: ClosedRow[] = [];
  for (const { merchant_id } of merchants) rows.push(...(await closeOf(db, merchant_id, selection, moment)));
  return rows;
}

async function closeOf(
  db: Sql,
  merchantId: string,
  selection: RequestSelection,
  { now, seed }: { now: Date; seed: string },
): Promise<ClosedRow[]> {
  const isShown = isShownTo(selection);
  const work = async (tx: Sql): Promise<ClosedRow[]> => {
    const own = ofMerchant(tx, merchantId);
    const due = await own`select due.* from (${dueRows(own, selection, now, seed, merchantId)}) due`;
    if (due.length === 0) return [];
    const ended = await tx<Omit<ClosedRow, 'merchant_id'>[]>`
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
