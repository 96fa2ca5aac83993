import type { Database } from '../../../server/src/db/open.ts';
import { isDistributedRun } from './layout.ts';

/** No statement may last long. */
const AT_ONCE = 5_000;

/** How many statements wait for another party's lock. */
export async function waitingForLocks(db: Database): Promise<number> {
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  if (!isDistributedRun) return (await db.unsafe(waiting))[0]?.['count'];
  // On whichever machine it waits.
  const rows = await db<{ result: string }[]>`select result from run_command_on_all_nodes(${waiting})`;
  return rows.reduce((sum, { result }) => sum + Number(result), 0);
}

/** Copies of a stored request on the same connection, a second apart and older than it. */
export async function multiplyRequest(
  db: Database,
  template: { connection_id: string; request_id: string },
  count: number,
  overrides: Record<string, unknown> = {},
): Promise<void> {
  for (let start = 1; start <= count; start += AT_ONCE) {
    await db`
      insert into payment_requests
      select copy.* from payment_requests r
        cross join generate_series(${start}::int, ${Math.min(start + AT_ONCE - 1, count)}::int) n
        cross join lateral jsonb_populate_record(r, ${db.json(overrides as never)}::jsonb || jsonb_build_object(
          'listed_version', null, 'request_id', r.request_id || '-' || n, 'idempotency_key', r.request_id || '-' || n,
          'created_at', r.created_at - interval '1 second' * n)) copy
      where r.connection_id = ${template.connection_id} and r.request_id = ${template.request_id}`;
  }
  await listCopies(db, template.connection_id);
}

/** On one machine a trigger lists what is stored in this way. */
export async function listCopies(db: Database, connectionId: string): Promise<void> {
  if (!isDistributedRun) return;
  await db`
    insert into pending_requests
      (merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation)
    select merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation
    from payment_requests
    where connection_id = ${connectionId} and status = 'pending' and listed_version is null
    on conflict do nothing`;
  // As autovacuum does: without figures the planner goes by merchant there, of which the test has one.
  await db`analyze payment_requests`;
  await db`analyze pending_requests`;
}

interface Settled {
  pending: number;
  rejected: number;
  events: number;
  /** Of the connection's sequence. */
  last: number;
  requestsWithEvent: number;
  messages: number;
}

/** What has become of a connection's requests, as it is stored. */
export async function storedState(db: Database, connectionId: string): Promise<Settled> {
  const [row] = await db<[Settled]>`
    select (select count(*)::int from payment_requests where connection_id = ${connectionId} and status = 'pending') as pending,
           (select count(*)::int from payment_requests where connection_id = ${connectionId} and status = 'rejected') as rejected,
           (select count(*)::int from payment_request_events where connection_id = ${connectionId}) as events,
           (select coalesce(max(sequence), 0)::int from payment_request_events where connection_id = ${connectionId}) as last,
           (select count(distinct request_id)::int from payment_request_events where connection_id = ${connectionId}) as "requestsWithEvent",
           (select count(*)::int from webhook_messages m
            where m.event_id in (select event_id from payment_request_events where connection_id = ${connectionId})) as messages`;
  return row;
}

/** Changes rows that triggers keep final, which the service itself cannot do. The statement calls the table `%s`. */
export async function changeFinal(db: Database, table: string, change: string): Promise<void> {
  const statements = ['alter table %s disable trigger user', change, 'alter table %s enable trigger user'];
  if (!isDistributedRun) {
    await db.unsafe(statements.map((text) => text.replaceAll('%s', table)).join('; '));
    return;
  }
  for (const text of statements) {
    const rows = await db<{ success: boolean; result: string }[]>`
      select success, result from run_command_on_shards(${table}, ${text})`;
    const failed = rows.find(({ success }) => !success);
    if (failed) throw new Error(failed.result);
  }
}
