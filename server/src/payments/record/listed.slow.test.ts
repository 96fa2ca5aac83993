// Slow: stores thousands of rows and reads their pages.
import { readFileSync } from 'node:fs';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { multiplyRequest, waitingForLocks } from '@payassent/proof/database/many';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

/** Requests that are not listed exactly once under their status, and rows without a request. */
async function misplaced(): Promise<unknown[]> {
  const rows = await service.db`
    select * from (
      select merchant_id, connection_id, request_id, status from payment_requests
    ) r full join (
      select merchant_id, connection_id, request_id, 'pending' as status from pending_requests where merchant_id <> ''
      union all select merchant_id, connection_id, request_id, status from requests_by_status
    ) l using (merchant_id, connection_id, request_id)
    where r.status is distinct from l.status`;
  return [...rows];
}

it('no index of payment_requests names a column that a decision writes', async () => {
  const rows = await service.db`
    select i.relname as index, a.attname as column
    from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = x.indexrelid and d.refobjid = x.indrelid
      join pg_attribute a on a.attrelid = x.indrelid and a.attnum = d.refobjsubid
    where x.indrelid = 'payment_requests'::regclass and a.attname in (
      'status', 'state_version', 'listed_version', 'tx_hash', 'reason', 'reason_text', 'decided_by_device_id',
      'decision', 'updated_at')`;
  expect([...rows]).toEqual([]);
});

it('whatever becomes of a request, it is once and by its status', async () => {
  const device = deviceOf(stage.device);
  const paid = await pendingRequest(service, stage);
  for (const status of ['signed', 'broadcasted', 'confirmed'])
    expect((await report(service, stage, paid.request_id, { status })).status).toBe(200);
  const refused = await pendingRequest(service, stage);
  expect((await report(service, stage, refused.request_id, { status: 'rejected' })).status).toBe(200);
  const withdrawn = await pendingRequest(service, stage);
  const path = `/v1/payment-requests/${withdrawn.request_id}`;
  const taken = await service.call('POST', `${path}/withdraw`, { bearer: stage.connectionToken, body: {} });
  expect(taken.status).toBe(200);
  const first = await pendingRequest(service, stage);
  await pendingRequest(service, stage, { supersedes: first.request_id });
  const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
  await pendingRequest(service, own);
  expect((await service.call('DELETE', `/v1/connections/${own.connectionId}`, { device })).status).toBe(200);
  await pendingRequest(service, stage, { expires_in: 60 });
  await pendingRequest(service, stage);
  service.clock.advance(61_000);
  await expect
    .poll(async () => {
      const [row] = await service.db<[{ count: number }]>`
        select count(*)::int as count from payment_requests where status = 'pending' and expires_at < ${service.clock.now()}`;
      return row.count;
    })
    .toBe(0);
  const statuses = await service.db`select distinct status from payment_requests order by 1`;
  expect(statuses.map((row) => row['status'])).toEqual(['confirmed', 'expired', 'pending', 'rejected']);
  expect(await misplaced()).toEqual([]);
});

it('a report that was sent before another one committed leaves nothing of the previous status', async () => {
  const { db } = service;
  const { request_id: requestId } = await pendingRequest(service, stage);
  let later: ReturnType<typeof report> | undefined;
  // As another process would report it: the later statement has begun, and does not see this one.
  await db.begin(async (tx) => {
    const [row] = await tx`
      update payment_requests set status = 'signed', state_version = 2, listed_version = 2,
        decided_by_device_id = ${stage.device.device_id}
      where request_id = ${requestId} returning merchant_id, connection_id, created_at`;
    await tx`delete from pending_requests where request_id = ${requestId}`;
    await tx`insert into requests_by_status ${tx({ ...row, status: 'signed', request_id: requestId })}`;
    later = report(service, stage, requestId, { status: 'failed' });
    await expect.poll(() => waitingForLocks(db)).toBe(1);
  });
  expect((await later)?.body).toMatchObject({ payment_request: { status: 'failed', state_version: 3 } });
  expect(await misplaced()).toEqual([]);
});

it('the upgrade takes requests out of lists in which they no longer belong, and no others', async () => {
  const { db } = service;
  const [stale] = await db`
    insert into requests_by_status
    select merchant_id, connection_id, 'signed', created_at, request_id from payment_requests
    where status = 'confirmed' limit 1 returning request_id`;
  expect(await misplaced()).toMatchObject([{ request_id: stale?.['request_id'], status: 'signed' }]);
  await db.unsafe(readFileSync(new URL('../../../sql/0046_listed_once.sql', import.meta.url), 'utf8'));
  expect(await misplaced()).toEqual([]);
});

// A distributed database has no processes of an earlier version, and no trigger for them.
it.skipIf(isDistributedRun)(
  'is listed by its own statement, and by a trigger only where that did not do it',
  async () => {
    const { db } = service;
    await db`
    create or replace function list_request() returns trigger language plpgsql as
    $$ begin raise exception 'listed by the trigger'; end $$`;
    const record = await pendingRequest(service, stage);
    expect((await report(service, stage, record.request_id, { status: 'signed' })).status).toBe(200);
    expect(await misplaced()).toEqual([]);
    await expect(multiplyRequest(db, record, 1)).rejects.toThrow('listed by the trigger');
    await expect(
      db`update payment_requests set status = 'failed', state_version = 9 where request_id = ${record.request_id}`,
    ).rejects.toThrow('listed by the trigger');
  },
);

// Counted for each shard on its node.
it.skipIf(isDistributedRun)('decisions in any order are updates that touch no index', async () => {
  const { db } = service;
  await db`drop function list_request() cascade`;
  const counts = async () => {
    await service.restart();
    const [row] = await db<[{ all: number; hot: number }]>`
      select sum(n_tup_upd)::int as all, sum(n_tup_hot_upd)::int as hot from pg_stat_user_tables
      where relid = 'payment_requests'::regclass
        or relid in (select relid from pg_partition_tree('payment_requests'))`;
    return row;
  };
  const ids: string[] = [];
  for (let number = 0; number < 60; number += 1)
    ids.push((await pendingRequest(service, stage, { expires_in: 3600 })).request_id);
  const before = await counts();
  // One after the other and far apart, as people decide.
  for (const status of ['signed', 'broadcasted', 'confirmed'])
    for (let place = 0; place < ids.length; place += 1)
      expect((await report(service, stage, ids[(place * 23) % ids.length] ?? '', { status })).status).toBe(
        200,
      );
  const after = await counts();
  expect(after.all - before.all).toBeGreaterThanOrEqual(180);
  // A version that is being read stays on its page, and may leave too little room: on a busy machine for half of them.
  // If an index were updated, it would be none.
  expect((after.hot - before.hot) / (after.all - before.all)).toBeGreaterThan(0.2);
});
