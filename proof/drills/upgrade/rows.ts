import type { Database } from '../../../server/src/db/open.ts';

interface Column {
  name: string;
}

/** Inserts the given number of copies of a table's rows, each with unique keys. */
async function multiply(
  db: Database,
  table: string,
  copies: number,
  from: string,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await db<Column[]>`
    select column_name::text as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`;
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => own[name] ?? `t."${name}"`);
  await db.unsafe(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from (${from}) t cross join generate_series(1, ${copies}) n`,
  );
}

const AT = `timestamptz '2026-01-01' + n * interval '1 second'`;
const numbered = (prefix: string) => `'${prefix}' || lpad(n::text, 26, '0')`;

/** One request of the stored database, to which others are equal but for what is their own. */
export const TEMPLATE = `select r.* from payment_requests r join connections c using (connection_id)
  where c.status = 'active' order by r.request_id limit 1`;

/** Fills a database of schema 8: of five rows one is a request, two are its events and two are entries of the trail. */
export async function fill(db: Database, rows: number): Promise<void> {
  const requests = Math.floor(rows / 5);
  // As many writes as there are rows, and none that a trigger would refuse or has to follow.
  await db.unsafe('set session_replication_role = replica; set synchronous_commit = off');
  await multiply(db, 'payment_requests', requests, TEMPLATE, {
    request_id: numbered('pr_'),
    idempotency_key: numbered('key_'),
    created_at: AT,
    updated_at: AT,
    expires_at: `'2036-01-01'`,
    amount: '(n % 5000)::text',
    transaction_id: `case when n % 3 = 0 then 'trx_1' end`,
    status: `case when n % 100 = 0 then 'pending' else 'confirmed' end`,
    state_version: 'case when n % 100 = 0 then 1 else 3 end',
  });
  const event = `select e.* from payment_request_events e join (${TEMPLATE}) r using (connection_id) limit 1`;
  for (const step of [2, 3])
    await multiply(db, 'payment_request_events', requests, event, {
      sequence: `1000000000 + n * 2 + ${step}`,
      event_id: numbered(`evt_${step}`),
      request_id: numbered('pr_'),
      state_version: String(step),
      occurred_at: AT,
    });
  // Half of them are acts of a wallet, which 0009 and 0013 rewrite.
  for (const kind of ['wallet', 'merchant'])
    await multiply(
      db,
      'audit_events',
      requests,
      `select a.* from audit_events a where a.merchant_id is not null and a.actor_kind ${kind === 'wallet' ? '=' : '<>'} 'wallet' limit 1`,
      { audit_event_id: numbered(`aud_${kind[0]}`), occurred_at: AT },
    );
  await db.unsafe('reset session_replication_role; reset synchronous_commit; analyze');
}
