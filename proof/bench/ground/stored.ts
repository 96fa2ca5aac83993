import type { Database } from '../../../server/src/db/open.ts';
import type { Caller } from './population.ts';

/**
 * Requests that were decided long ago, written straight into the tables: half of them confirmed by way of signed and
 * broadcasted, a fifth rejected, the rest expired, which makes two events each on average. Request n belongs to caller
 * n modulo their number, and everything about it follows from n, so the same n is always the same request.
 */
const CHUNK = 100_000;
const FIRST_MS = Date.UTC(2025, 0, 1);
/** A million requests make 33 days, ten million 11 months: none is in the future. */
const STEP_MS = 2_900;

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An identifier in the service's format: the time first, then 16 pseudo-random characters. */
function idSql(prefix: string, timeMs: string, salt: string): string {
  const time = Array.from(
    { length: 10 },
    (_, place) => `substr('${DIGITS}', ((${timeMs} >> ${5 * (9 - place)}) & 31)::int + 1, 1)`,
  );
  return `'${prefix}_' || ${time.join(' || ')} || upper(substr(md5(${salt}), 1, 16))`;
}

const TIME = `(${FIRST_MS}::bigint + n::bigint * ${STEP_MS})`;
const REQUEST_ID = idSql('pr', TIME, `'request' || n`);

function callersSql(): string {
  return 'unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as c(merchant_id, connection_id, wallet_id, agent_id, recipient_id, recipient_version_id, place)';
}

function callerParameters(callers: readonly Caller[]): string[][] {
  return [
    callers.map((caller) => caller.merchantId),
    callers.map((caller) => caller.connectionId),
    callers.map((caller) => caller.walletId),
    callers.map((caller) => caller.agentId),
    callers.map((caller) => caller.recipientId),
    callers.map((caller) => caller.versionId),
  ];
}

const COLUMNS = `merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key, intent_digest,
  recipient_id, recipient_version_id, rail, network, asset, amount, to_address, decimals, payee, facts_digest, source,
  display, metadata, status, state_version, listed_version, tx_hash, reason, decided_by_device_id, created_at, expires_at, updated_at`;

/** Facts as create writes them. */
const FACTS = `c.recipient_id, c.recipient_version_id, 'stellar_xlm', 'stellar_testnet', 'XLM', (1 + n % 900) || '.50',
  'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7', 7,
  ('{"name":"Harbour Theatre","verified":true,"domain":"theatre.example","recipient_id":"' || c.recipient_id
    || '","recipient_version_id":"' || c.recipient_version_id || '","evidence_digest":"' || md5('e') || md5('f') || '"}')::json,
  md5('facts' || n) || md5('digest' || n),
  ('{"kind":"checkout","order":"A-' || n || '","agent_id":"' || c.agent_id
    || '","agent_name":"Ticket agent","merchant_name":"Harbour Theatre"}')::json,
  '{"title":"Two tickets","description":"Evening show, row 7, seats 11 and 12"}'::json,
  ('{"order_id":"A-' || n || '","cart":"c81d"}')::json`;

export async function storeDecided(
  sql: Database,
  callers: readonly Caller[],
  from: number,
  to: number,
): Promise<void> {
  for (let first = from; first < to; first += CHUNK)
    await storeChunk(sql, callers, first, Math.min(to, first + CHUNK) - 1);
}

/** The same, without indexes on the way: several times as fast. They come back as the migrations made them. */
export async function storeManyDecided(
  sql: Database,
  callers: readonly Caller[],
  from: number,
  to: number,
): Promise<void> {
  const indexes = await sql<{ indexname: string; indexdef: string }[]>`
    select indexname, indexdef from pg_indexes
    where tablename in ('payment_requests', 'payment_request_events', 'requests_by_status') and indexname not like '%_pkey'`;
  for (const { indexname } of indexes) await sql.unsafe(`drop index ${indexname}`);
  await storeDecided(sql, callers, from, to);
  for (const { indexdef } of indexes)
    await sql.begin(async (tx) => {
      await tx`set local maintenance_work_mem = '256MB'`;
      // Of partitions it is written for the parent alone, and would never become valid.
      await tx.unsafe(indexdef.replace(' ON ONLY ', ' ON '));
    });
}

async function storeChunk(
  sql: Database,
  callers: readonly Caller[],
  first: number,
  last: number,
): Promise<void> {
  const parameters = [...callerParameters(callers), first, last] as never[];
  const rows = `generate_series($7::bigint, $8::bigint) n join ${callersSql()} on c.place = n % ${callers.length} + 1`;
  await sql.unsafe(
    `with made as (
       insert into payment_requests (${COLUMNS})
       select c.merchant_id, ${REQUEST_ID}, c.connection_id, c.wallet_id, c.agent_id, md5('key' || n),
       md5('intent' || n) || md5('digest' || n), ${FACTS},
       (array['confirmed','confirmed','confirmed','confirmed','confirmed','rejected','rejected','expired','expired','expired'])[n % 10 + 1],
       case when n % 10 < 5 then 4 else 2 end, case when n % 10 < 5 then 4 else 2 end,
       case when n % 10 < 5 then md5('tx' || n) || md5('hash' || n) end,
       case when n % 10 in (5, 6) then 'user_rejected' end, null, t, t + interval '1 hour', t + interval '5 minutes'
       from ${rows} cross join lateral (select to_timestamp(${TIME} / 1000.0) as t) at
       order by n
       returning merchant_id, connection_id, status, created_at, request_id
     )
     insert into requests_by_status select * from made`,
    parameters,
  );
  await storeEvents(sql, rows, parameters);
}

async function storeEvents(sql: Database, rows: string, parameters: never[]): Promise<void> {
  await sql.unsafe(
    `with step as (
       select n, c.connection_id, c.merchant_id, s.number, s.status, s.previous,
              row_number() over (partition by c.connection_id order by n, s.number) as place
       from ${rows} join (values
         (1, 'signed', 'pending', 0, 5), (2, 'broadcasted', 'signed', 0, 5), (3, 'confirmed', 'broadcasted', 0, 5),
         (1, 'rejected', 'pending', 5, 7), (1, 'expired', 'pending', 7, 10)
       ) s(number, status, previous, low, high) on n % 10 >= s.low and n % 10 < s.high
     ), written as (
       insert into payment_request_events (connection_id, sequence, event_id, merchant_id, request_id, type, status,
         previous_status, state_version, actor, tx_hash, reason, occurred_at)
       select connection_id, h.last_sequence + place, ${idSql('evt', TIME, `'event' || n || ' ' || number`)}, step.merchant_id,
         ${REQUEST_ID}, 'payment_request.' || status, status, previous, number + 1,
         case when status = 'expired' then 'system' else 'wallet' end,
         case when status = 'confirmed' then md5('tx' || n) || md5('hash' || n) end,
         case when status = 'rejected' then 'user_rejected' end, to_timestamp(${TIME} / 1000.0)
       from step join connection_heads h using (connection_id)
       order by n, number
       returning connection_id
     )
     update connection_heads h set last_sequence = h.last_sequence + w.count
     from (select connection_id, count(*) from written group by connection_id) w where w.connection_id = h.connection_id`,
    parameters,
  );
}

/** Requests that await the wallet for another day, or that have expired since yesterday; returns their ids. */
export async function storePending(
  sql: Database,
  callers: readonly Caller[],
  count: number,
  run: string,
  state: 'open' | 'overdue' = 'open',
): Promise<{ requestId: string; caller: Caller }[]> {
  const rows = await sql.unsafe<{ request_id: string; place: number }[]>(
    `with made as (
       insert into payment_requests (${COLUMNS})
       select c.merchant_id, 'pr_' || upper(md5($7 || ' ' || n)), c.connection_id, c.wallet_id, c.agent_id,
         md5($7 || ' key ' || n), md5('intent' || n) || md5('digest' || n), ${FACTS}, 'pending', 1, 1, null, null, null, t,
         t + interval '1 day', t
       from generate_series(0, $8::bigint - 1) n join ${callersSql()} on c.place = n % ${callers.length} + 1
         cross join (select date_trunc('milliseconds', clock_timestamp()) - $9::interval as t) at
       order by n
       returning merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation
     ), listed as (
       insert into pending_requests select * from made
     )
     select made.request_id, c.place::int as place from made join ${callersSql()} on c.connection_id = made.connection_id`,
    [...callerParameters(callers), run, count, state === 'open' ? '0' : '2 days'] as never[],
  );
  return rows.map(({ request_id, place }) => {
    const caller = callers[place - 1];
    if (!caller) throw new Error('a pending request without a caller');
    return { requestId: request_id, caller };
  });
}

/** Everything hot is gone; merchants, connections and tokens stay. */
export async function emptyHotTables(sql: Database): Promise<void> {
  await sql`truncate payment_requests, requests_by_status, payment_request_events, webhook_messages, webhook_deliveries`;
  await sql`delete from pending_requests where merchant_id <> ''`;
  await sql`update connection_heads set last_sequence = 0`;
}

/** As the server itself would after a while, so that no leg meets the housekeeping of the one before. */
export async function settle(sql: Database): Promise<void> {
  await sql`vacuum (analyze) payment_requests`;
  await sql`vacuum (analyze) pending_requests`;
  await sql`vacuum (analyze) requests_by_status`;
  await sql`vacuum (analyze) payment_request_events`;
  await sql`vacuum (analyze) connection_heads`;
  await sql`checkpoint`;
}

/** A stored request of each caller, among the first `stored`, picked all over them. */
export async function pickStored(
  sql: Database,
  callers: readonly Caller[],
  stored: number,
  count: number,
): Promise<{ requestId: string; caller: Caller }[]> {
  const numbers = Array.from({ length: count }, (_, index) => Math.floor((index + 0.5) * (stored / count)));
  const rows = await sql.unsafe<{ n: number; request_id: string }[]>(
    `select n, ${REQUEST_ID} as request_id from unnest($1::bigint[]) n`,
    [numbers] as never[],
  );
  return rows.flatMap(({ n, request_id }) => {
    const caller = callers[n % callers.length];
    return caller ? [{ requestId: request_id, caller }] : [];
  });
}

export async function headsOf(sql: Database): Promise<Map<string, number>> {
  const rows = await sql<
    { connection_id: string; last_sequence: number }[]
  >`select connection_id, last_sequence from connection_heads`;
  return new Map(rows.map((row) => [row.connection_id, row.last_sequence]));
}
