import { type PaymentRequestStatus, PURPOSE_MEMBERS } from '@payassent/protocol';
import { layoutOf } from '../../db/layout.ts';
import type { Database, Fragment, Sql } from '../../db/open.ts';
import { addMs } from '../../lib/clock.ts';
import type { Position } from '../../page.ts';
import { statementsOf } from '../../storage/index.ts';
import type { RequestName } from '../close/close-sql.ts';
import { endingOf, isEnded, isEndedByAct } from '../close/when-ended.ts';
import {
  type Horizon,
  INBOX_MARK,
  type InboxPlace,
  type Look,
  type Shown,
  tieOf,
} from '../feed/inbox-cursor.ts';
import { LATE_MS, snapshotOf, wasUnderWay } from '../feed/inbox-sql.ts';
import { WALLET_RECORD_JSON } from '../record/record-json.ts';

/** Whose requests a list may show. */
export type Owner =
  | { kind: 'connection'; merchantId: string; connectionId: string }
  | { kind: 'merchant'; merchantId: string }
  /** With a merchant: only this merchant's requests to the wallet. */
  | { kind: 'wallet'; walletId: string; merchantId?: string };

export interface ListFilter {
  /** Those of any status when absent. */
  statuses: readonly PaymentRequestStatus[] | undefined;
  connectionId: string | undefined;
  recipientId: string | undefined;
  idempotencyKey?: string | undefined;
  /** Inclusive. */
  createdAfter?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
  /** Only requests after this position in the list, which are older. */
  before?: Position | undefined;
  /** Only newer requests that were not seen yet; the oldest of them come first. */
  after?: InboxPlace | undefined;
  limit: number;
}

export interface ListedRow extends RequestName {
  created_at: Date;
  is_ended: boolean;
  record: string;
}

export const LISTED_COLUMNS = `r.merchant_id, r.connection_id, r.request_id, r.created_at, ${WALLET_RECORD_JSON} as record`;

/** One page. Ended requests count with their final status, whether or not a transaction has closed them yet. */
export async function listRequests(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  now: Date,
): Promise<ListedRow[]> {
  return pageOf(
    db,
    owner,
    filter,
    (sql, part, isOpen) => sql<ListedRow[]>`${listQuery(sql, part, filter, now, isOpen)}`,
  );
}

export function listQuery(sql: Sql, owner: Owner, filter: ListFilter, now: Date, isOpen?: Fragment) {
  return sql`
    select ${sql.unsafe(LISTED_COLUMNS)}, ${isEnded(sql, now)} as is_ended
    from (${listedRows(sql, owner, filter, now, isOpen)}) r order by ${orderOf(sql, filter)}`;
}

type ReadPart<Part> = (sql: Sql, owner: Owner, isOpen?: Fragment) => PromiseLike<Part>;

/** One statement, or one for each merchant of the list. */
async function partsOf<Part>(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  read: ReadPart<Part>,
): Promise<Part[]> {
  let isOpen: boolean | undefined;
  const find = async () => {
    const [work] = await db<{ is_open: boolean }[]>`select ${hasOpenWork(db, owner)} as is_open`;
    isOpen = work?.is_open;
    return merchantsOf(db, owner, filter);
  };
  return layoutOf(db).across(db, find, (sql, merchantId) =>
    merchantId === undefined
      ? read(sql, owner)
      : read(sql, { ...owner, merchantId }, isOpen ? sql`true` : sql`false`),
  );
}

async function pageOf<Row extends ListedName>(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  read: ReadPart<readonly Row[]>,
): Promise<Row[]> {
  return joined(await partsOf(db, owner, filter, read), filter);
}

/** Each part is in the order of the list. */
function joined<Row extends ListedName>(parts: readonly (readonly Row[])[], filter: ListFilter): Row[] {
  const [only = [], ...others] = parts;
  if (others.length === 0) return [...only];
  const order = (a: Row, b: Row) => (filter.after ? compareNames(a, b) : compareNames(b, a));
  return parts.flat().sort(order).slice(0, filter.limit);
}

export interface NewerPage extends Look {
  rows: readonly (ListedRow & Shown)[];
}

/** One page of what a waiting wallet has not been shown, and the horizons of the read. */
export async function findNewer(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  now: Date,
): Promise<NewerPage> {
  const placements = await statementsOf(db).placements(db);
  const looks = await partsOf(db, owner, filter, async (sql, part, isOpen) => {
    const found = await sql<(({ request_id: null } | ListedRow) & Shown & { oldest: string })[]>`
      with snapshot as materialized (${snapshotOf(sql, placements, filter.after?.horizons)})
      select s.node, s.oldest::text, r.*, r.written_by::text as written_by
      from snapshot s left join (
        select ${sql.unsafe(LISTED_COLUMNS)}, r.written_by, ${isEnded(sql, now)} as is_ended
        from (${listedRows(sql, part, filter, now, isOpen)}) r) r on true
      order by ${orderOf(sql, filter)}`;
    const [first] = found;
    const horizon = { node: first?.node ?? '', xid: BigInt(first?.oldest ?? 0) };
    return { horizon, rows: found.filter((row) => row.request_id !== null) };
  });
  const rows = joined(
    looks.map((look) => look.rows),
    filter,
  );
  return {
    rows,
    horizons: oldestOf(looks.map(({ horizon }) => horizon)),
    isFull: rows.length === filter.limit,
  };
}

/** Of several reads on one node, the one that saw least. */
function oldestOf(horizons: readonly Horizon[]): Horizon[] {
  const oldest = new Map<string, bigint>();
  for (const { node, xid } of horizons) {
    const known = oldest.get(node);
    oldest.set(node, known === undefined || xid < known ? xid : known);
  }
  return [...oldest].map(([node, xid]) => ({ node, xid }));
}

async function merchantsOf(db: Database, owner: Owner, { connectionId }: ListFilter): Promise<string[]> {
  if (owner.kind !== 'wallet') return [owner.merchantId];
  const rows = await db<{ merchant_id: string }[]>`
    select distinct merchant_id from connections
    where wallet_id = ${owner.walletId} and connection_id = coalesce(${connectionId ?? null}::id, connection_id)`;
  return rows.map((row) => row.merchant_id);
}

type ListedName = RequestName & { created_at: Date };

/** By bytes, as the database does. */
function compareNames(a: ListedName, b: ListedName): number {
  return (
    a.created_at.getTime() - b.created_at.getTime() ||
    Buffer.compare(Buffer.from(a.request_id), Buffer.from(b.request_id)) ||
    Buffer.compare(Buffer.from(a.connection_id), Buffer.from(b.connection_id))
  );
}

/** A page's candidate row, and whether it passes the sieve: for filters without an index. */
export interface SiftedRow extends RequestName {
  created_at: Date;
  passes: boolean;
}

export interface Sieve {
  recipientId: string | undefined;
  /** Part of amount, purpose, payee name, domain or request id, without case. */
  words: string | undefined;
}

export async function siftRequests(
  db: Database,
  owner: Owner,
  filter: ListFilter,
  { recipientId, words }: Sieve,
  now: Date,
): Promise<SiftedRow[]> {
  const hasWords = (sql: Sql) => sql`(
    select bool_or(strpos(lower(shown), lower(${words ?? ''}::text)) > 0)
    from unnest(array[r.payee->>'name', r.payee->>'domain', r.request_id::text, r.amount || ' ' || r.asset]
      || array(select r.display->>name from unnest(${[...PURPOSE_MEMBERS]}::text[]) name)) shown)`;
  return pageOf(
    db,
    owner,
    filter,
    (sql, part, isOpen) => sql<SiftedRow[]>`
    select r.merchant_id, r.connection_id, r.request_id, r.created_at,
           ${recipientId === undefined ? sql`true` : sql`r.recipient_id = ${recipientId}`}
             and ${words === undefined ? sql`true` : hasWords(sql)} as passes
    from (${listedRows(sql, part, filter, now, isOpen)}) r order by ${orderOf(sql, filter)}`,
  );
}

export async function findListed(
  db: Database,
  names: readonly RequestName[],
  now: Date,
): Promise<ListedRow[]> {
  const find = (sql: Sql, own: readonly RequestName[]) => sql<(ListedRow & { n: number })[]>`
    select s.n, ${sql.unsafe(LISTED_COLUMNS)}, ${isEnded(sql, now)} as is_ended
    from unnest(
        ${own.map((row) => row.merchant_id)}::id[], ${own.map((row) => row.request_id)}::id[],
        ${own.map((row) => row.connection_id)}::id[]) with ordinality as s(merchant_id, request_id, connection_id, n)
      join payment_requests r
        on r.merchant_id = s.merchant_id and r.request_id = s.request_id and r.connection_id = s.connection_id
    order by s.n`;
  const found = await layoutOf(db).byMerchant(
    db,
    names,
    (name) => name.merchant_id,
    async (sql, own) => {
      const rows = new Map((await find(sql, own)).map((row) => [row.n, row]));
      return own.map((_name, index) => rows.get(index + 1));
    },
  );
  return found.filter((row) => row !== undefined);
}

/** Of the request `r`, or of the narrow row `n` by which it is found. */
function orderOf(sql: Sql, { after }: ListFilter, name: 'r' | 'n' = 'r') {
  const alias = sql(name);
  return after
    ? sql`${alias}.created_at, ${alias}.request_id, ${alias}.connection_id`
    : sql`${alias}.created_at desc, ${alias}.request_id desc, ${alias}.connection_id desc`;
}

/**
 * Everything is listed by time alone. What has a status comes from the narrow tables that hold it, in the order of the
 * list, and only the rows of the page are read from the requests. Records are rendered only for those that are shown.
 */
function listedRows(
  sql: Sql,
  owner: Owner,
  filter: ListFilter,
  now: Date,
  isOpen: Fragment = hasOpenWork(sql, owner),
) {
  const { statuses, limit } = filter;
  const order = orderOf(sql, filter);
  const chosen = chosenBy(sql, owner, filter);
  if (statuses === undefined)
    return sql`
      select r.* from payment_requests r where ${belongsTo(sql, owner)} ${chosen} order by ${order} limit ${limit}`;
  const has = (status: PaymentRequestStatus) => statuses.includes(status);
  const chosenPending = chosenBy(sql, owner, filter, 'pending');
  const decided = statuses.filter((status) => status !== 'pending');
  const byAct = sql.unsafe(isEndedByAct('r'));
  const reason = sql`(select e.reason from ${endingOf(sql, 'r', now)} e)`;
  const requestsOf = (rows: Fragment, condition: Fragment) => sql`(
    select r.* from (${rows} order by ${order}) n
      cross join lateral (
        select r.* from payment_requests r
        where r.merchant_id = n.merchant_id and r.request_id = n.request_id and r.connection_id = n.connection_id
        limit 1
      ) r
    where ${condition}
    order by ${orderOf(sql, filter, 'n')} limit ${limit})`;
  const pendingWhere = (isIn: Fragment, condition: Fragment) =>
    requestsOf(
      sql`select r.* from ${pendingOf(sql, owner)} and ${isIn} ${chosenPending}`,
      sql`r.status = 'pending' and ${condition}`,
    );
  const parts = [
    ...(decided.length === 0
      ? []
      : [
          requestsOf(
            sql`select r.* from unnest(${[...decided]}::text[]) s(status)
              ${decidedOf(sql, owner, sql`r.status = s.status ${chosen} order by ${order} limit ${limit}`)}`,
            sql`r.status = n.status`,
          ),
        ]),
    ...(has('pending') ? [pendingWhere(sql`r.expires_at >= ${now}`, sql`not (${isOpen} and ${byAct})`)] : []),
    ...(has('rejected') ? [pendingWhere(sql`true`, sql`${isOpen} and ${reason} is not null`)] : []),
    ...(has('expired') ? [pendingWhere(sql`r.expires_at < ${now}`, sql`${reason} is null`)] : []),
  ];
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  return sql`select r.* from (${all}) r order by ${order} limit ${limit}`;
}

function belongsTo(sql: Sql, owner: Owner) {
  switch (owner.kind) {
    case 'connection':
      return sql`r.connection_id = ${owner.connectionId} and r.merchant_id = ${owner.merchantId}`;
    case 'merchant':
      return sql`r.merchant_id = ${owner.merchantId}`;
    case 'wallet':
      return sql`r.wallet_id = ${owner.walletId} ${ofOne(sql, 'r', owner)}`;
  }
}

function ofOne(sql: Sql, alias: 'r' | 'c', { merchantId }: { merchantId?: string }) {
  return merchantId === undefined ? sql`` : sql`and ${sql(alias)}.merchant_id = ${merchantId}`;
}

/** The narrow tables have no wallet: its rows are found through its connections, each of which names its merchant. */
const OF_CONNECTION = 'r.merchant_id = c.merchant_id and r.connection_id = c.connection_id';

function pendingOf(sql: Sql, owner: Owner) {
  return owner.kind === 'wallet'
    ? sql`connections c join pending_requests r on ${sql.unsafe(OF_CONNECTION)}
        where c.wallet_id = ${owner.walletId} ${ofOne(sql, 'c', owner)}`
    : sql`pending_requests r where ${belongsTo(sql, owner)}`;
}

/** The first of each list; `choice` ends with order and limit. */
function decidedOf(sql: Sql, owner: Owner, choice: Fragment) {
  const rowsWhere = (isOwn: Fragment) => sql`
    cross join lateral (select r.* from requests_by_status r where ${isOwn} and ${choice}) r`;
  return owner.kind === 'wallet'
    ? sql`cross join connections c ${rowsWhere(sql.unsafe(OF_CONNECTION))}
        where c.wallet_id = ${owner.walletId} ${ofOne(sql, 'c', owner)}`
    : rowsWhere(belongsTo(sql, owner));
}

/**
 * Whether a revocation or a recall that concerns the owner is still being processed. Checked once per statement: only
 * then are pending rows searched for those that have ended.
 */
function hasOpenWork(sql: Sql, owner: Owner) {
  if (owner.kind === 'wallet')
    return sql`(
      exists (select from connection_revocations w where w.wallet_id = ${owner.walletId})
      or exists (
        select from connections c join agent_revocations g on g.agent_id = c.agent_id
        where c.wallet_id = ${owner.walletId} and c.status <> 'revoked')
      or exists (
        select from connections c join recipient_recalls k on k.merchant_id = c.merchant_id and k.swept_at is null
        where c.wallet_id = ${owner.walletId}))`;
  const { merchantId } = owner;
  return sql`(
    exists (select from recipient_recalls k where k.merchant_id = ${merchantId} and k.swept_at is null)
    or exists (select from connection_revocations w where w.merchant_id = ${merchantId})
    or exists (select from agent_revocations g where g.merchant_id = ${merchantId}))`;
}

function chosenBy(sql: Sql, owner: Owner, filter: ListFilter, of: 'pending' | 'decided' = 'decided') {
  const { connectionId, recipientId, idempotencyKey, createdAfter, createdBefore, before, after } = filter;
  const own = owner.kind === 'connection' ? owner : null;
  return sql`
    ${createdAfter === undefined ? sql`` : sql`and r.created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? sql`` : sql`and r.created_at < ${createdBefore}`}
    ${
      idempotencyKey === undefined
        ? sql``
        : sql`and r.request_id = (
            select k.request_id from payment_requests k
            where k.merchant_id = ${own?.merchantId ?? null} and k.connection_id = ${own?.connectionId ?? null}
              and k.idempotency_key = ${idempotencyKey})`
    }
    ${connectionId === undefined ? sql`` : sql`and r.connection_id = ${connectionId}`}
    ${recipientId === undefined ? sql`` : sql`and r.recipient_id = ${recipientId}`}
    ${before ? sql`and ${place(sql)} < ${placeOf(sql, before)}` : sql``}
    ${after ? isUnseen(sql, after, of) : sql``}`;
}

function place(sql: Sql) {
  return sql`(r.created_at, r.request_id, r.connection_id)`;
}

function placeOf(sql: Sql, position: Position) {
  const { requestId, connectionId } = tieOf(position);
  return sql`(${position.createdAt}, ${requestId}, ${connectionId})`;
}

/** What is after the cursor, and what was in progress when the wallet read; see `snapshotOf` for the horizon. */
function isUnseen(sql: Sql, { after, horizons, seen }: InboxPlace, of: 'pending' | 'decided') {
  const isBehind = sql`${place(sql)} > ${placeOf(sql, after)}`;
  if (horizons === undefined) return sql`and ${isBehind}`;
  const isNear =
    of === 'pending'
      ? sql``
      : sql`and r.created_at > (
          select case when horizon is null then '-infinity' else ${addMs(after.createdAt, -LATE_MS)}::timestamptz end
          from snapshot)`;
  return sql`
    ${isNear} and (${isBehind} or ${wasUnderWay(sql, sql`(select horizon from snapshot)`)})
    and ${sql.unsafe(INBOX_MARK)} <> all(${seen.map((mark) => mark.hash)}::text[])`;
}
