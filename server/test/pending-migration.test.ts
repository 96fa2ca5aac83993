import { databaseBefore, type OlderDatabase } from '@payassent/proof/database/older-database';
import { beforeEach, expect, it } from 'vitest';
import type { Database } from '../src/db/open.ts';
import { listRequests, type Owner } from '../src/payments/read/list-sql.ts';
import { statementsOf } from '../src/storage/index.ts';

const id = (prefix: string, name: string) => `${prefix}_${name.toUpperCase().padStart(26, '0')}`;
const MERCHANT = id('mer', 'a');
const CONNECTION = id('con', 'a');
const RECIPIENT = id('rcp', 'a');
const NOW = new Date('2026-11-01T12:00:00.000Z');
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);

interface Stored {
  name: string;
  status: string;
  expiresAt: Date;
  generation: number;
}
const STORED: Stored[] = [
  { name: 'waiting', status: 'pending', expiresAt: hours(1), generation: 1 },
  { name: 'overdue', status: 'pending', expiresAt: hours(-1), generation: 1 },
  { name: 'recalled', status: 'pending', expiresAt: hours(1), generation: 0 },
  ...['signed', 'broadcasted', 'confirmed', 'failed', 'expired', 'rejected'].map((status) => ({
    name: `was-${status}`,
    status,
    expiresAt: hours(1),
    generation: 1,
  })),
];

/** As a process of the release before stores it: it knows nothing of lists. */
async function store(db: Database, { name, status, expiresAt, generation }: Stored): Promise<void> {
  await db`
    insert into payment_requests (merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key,
      intent_digest, recipient_id, recipient_version_id, recall_generation, rail, network, asset, amount, to_address,
      decimals, payee, facts_digest, source, status, state_version, created_at, expires_at, updated_at)
    values (${MERCHANT}, ${name}, ${CONNECTION}, ${id('wlt', 'a')}, ${id('agt', 'a')}, ${name}, 'sha256:x', ${RECIPIENT},
      ${id('rcv', 'a')}, ${generation}, 'stellar_xlm', 'stellar_testnet', 'XLM', '1', 'G', 7, '{}', 'sha256:y', '{}',
      ${status}, ${status === 'pending' ? 1 : 2}, ${hours(-2)}, ${expiresAt}, ${hours(-2)})`;
}

let older: OlderDatabase;
beforeEach(async () => {
  older = await databaseBefore('pending_requests');
  const { db } = older;
  await db`insert into merchants values (${MERCHANT}, 'Shop', 'active', 2, now(), now())`;
  await db`
    insert into agents (agent_id, merchant_id, name, runtime, environment, allowed_scopes, status, created_at, updated_at)
    values (${id('agt', 'a')}, ${MERCHANT}, 'Agent', 'node', 'production', '{}', 'active', now(), now())`;
  await db`insert into wallets (wallet_id, created_at) values (${id('wlt', 'a')}, now())`;
  await db`
    insert into connections (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at)
    values (${CONNECTION}, ${MERCHANT}, ${id('agt', 'a')}, ${id('wlt', 'a')}, 'active', '{}', now(), now())`;
  await db`
    insert into recipients (recipient_id, merchant_id, name, status, recall_generation, created_at, updated_at)
    values (${RECIPIENT}, ${MERCHANT}, 'Till', 'active', 1, now(), now())`;
  await db`
    insert into recipient_recalls (recipient_id, generation, merchant_id, recalled_at)
    values (${RECIPIENT}, 1, ${MERCHANT}, ${hours(-1)})`;
  for (const row of STORED) await store(db, row);
});

/** Where each request is stored. */
async function places(db: Database): Promise<string[]> {
  const rows = await db<{ place: string }[]>`
    select request_id || ': pending' as place from pending_requests where merchant_id <> ''
    union all select request_id || ': ' || status from requests_by_status`;
  return rows.map((row) => row.place).toSorted();
}
const expectedOf = (rows: readonly Stored[]) =>
  rows.map(({ name, status }) => `${name}: ${status}`).toSorted();

const OWNERS: Owner[] = [
  { kind: 'merchant', merchantId: MERCHANT },
  { kind: 'connection', merchantId: MERCHANT, connectionId: CONNECTION },
  { kind: 'wallet', walletId: id('wlt', 'a') },
];
async function listed(db: Database, owner: Owner, status: 'pending' | 'expired' | 'rejected' | 'signed') {
  const filter = { statuses: [status], connectionId: undefined, recipientId: undefined, limit: 10 };
  return (await listRequests(db, owner, filter, NOW)).map((row) => row.request_id).toSorted();
}

it('requests of an older database are where their status is listed, and end as they would have', async () => {
  const { db } = older;
  await older.upgrade();
  expect(await places(db)).toEqual(expectedOf(STORED));
  for (const owner of OWNERS) {
    expect(await listed(db, owner, 'pending')).toEqual(['waiting']);
    expect(await listed(db, owner, 'expired')).toEqual(['overdue', 'was-expired']);
    expect(await listed(db, owner, 'rejected')).toEqual(['recalled', 'was-rejected']);
    expect(await listed(db, owner, 'signed')).toEqual(['was-signed']);
  }
  const moment = { now: NOW, seed: id('evt', 'seed') };
  const overdue = await statementsOf(db).closePending(db, { kind: 'overdue', limit: 10 }, moment);
  expect(overdue.map((row) => [row.request_id, row.status])).toEqual([['overdue', 'expired']]);
  const recall = { merchantId: MERCHANT, recipientId: RECIPIENT, generation: 1 };
  const recalled = await statementsOf(db).closePending(
    db,
    { kind: 'recalled', ...recall, limit: 10 },
    moment,
  );
  expect(recalled.map((row) => [row.request_id, row.status])).toEqual([['recalled', 'rejected']]);
  const ended: Record<string, string> = { overdue: 'expired', recalled: 'rejected' };
  const now = STORED.map((row) => ({ ...row, status: ended[row.name] ?? row.status }));
  expect(await places(db)).toEqual(expectedOf(now));
});

it('what a process of the release before stores and decides is listed for it, and nothing twice', async () => {
  const { db } = older;
  await older.upgrade();
  await store(db, { name: 'late', status: 'pending', expiresAt: hours(1), generation: 1 });
  expect(await places(db)).toContain('late: pending');
  for (const [status, previous] of [
    ['signed', 'pending'],
    ['broadcasted', 'signed'],
  ] as const) {
    await db`
      update payment_requests set status = ${status}, state_version = state_version + 1, updated_at = ${NOW}
      where merchant_id = ${MERCHANT} and request_id = 'late' and status = ${previous}`;
    const late = (await places(db)).filter((place) => place.startsWith('late'));
    expect(late).toEqual([`late: ${status}`]);
  }
});

it('comes to the same when it is begun again', async () => {
  const { db } = older;
  await older.upgrade();
  const schema = () =>
    db`select indexname, indexdef from pg_indexes where tablename like 'payment_request%' order by 1`;
  const before = await schema();
  await db`delete from schema_migrations where number = 44`;
  await older.upgrade();
  expect(await schema()).toEqual(before);
  expect(await places(db)).toEqual(expectedOf(STORED));
});
