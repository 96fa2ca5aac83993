// Slow: closes 20,000 requests.

import { multiplyRequest, storedState, waitingForLocks } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { type ServiceOptions, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAct } from '../../act.ts';
import { openDatabase, transaction } from '../../db/open.ts';
import { SYSTEM_ACTOR } from '../../features/audit/record.ts';
import { revocationJob } from '../../features/connections/jobs.ts';
import { revokeConnection } from '../../features/connections/revocation.ts';

const MANY = 20_000;
const AT_ONCE = 200;

/** No job runs here: between the commit and the background work only a read closes a request. */
let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  const options: ServiceOptions = {};
  service = await startService(options);
  stage = await paymentStage(service);
  options.jobs = false;
  await service.restart();
});
afterAll(() => service.close());

const another = async (): Promise<PaymentStage> => {
  const device = await enrolDevice(service);
  return { ...stage, device, ...(await connect(service, stage.agent, device)) };
};
const listOf = async (sent: object, query: Record<string, string | number>) =>
  (await succeed(service.call('GET', '/v1/payment-requests', { ...sent, query }))).body;
const statusesOf = (rows: { status: string }[]) => [...new Set(rows.map((row) => row.status))];
const codeOf = ({ status, body }: Received) => [status, body.error?.code];

/** The statements of a revocation's own transaction. */
async function statementsOfRevoking(own: PaymentStage): Promise<string[]> {
  const statements: string[] = [];
  const db = openDatabase(service.database.target, { pool: 1, onStatement: (text) => statements.push(text) });
  onTestFinished(() => db.end());
  await transaction(db, (tx) =>
    revokeConnection(
      tx,
      createAct(service.context, 'test'),
      SYSTEM_ACTOR,
      { kind: 'merchant', merchantId: own.merchant.merchantId },
      own.connectionId,
    ),
  );
  return statements.filter((text) => /\b(select|insert|update|delete)\b/.test(text));
}

async function workOff(): Promise<number> {
  let turns = 1;
  while (await revocationJob.run(service.context)) turns += 1;
  return turns;
}

describe('the revocation of a connection', () => {
  it('does the same work for ten pending requests and for 20,000, and touches none of them', async () => {
    const [few, many] = [await another(), await another()];
    for (const [own, count] of [
      [few, 10],
      [many, MANY],
    ] as const) {
      await multiplyRequest(service.db, await pendingRequest(service, own), count - 1);
    }
    const [forFew, forMany] = [await statementsOfRevoking(few), await statementsOfRevoking(many)];
    expect(forMany).toEqual(forFew);
    expect(await storedState(service.db, few.connectionId)).toMatchObject({ pending: 10, events: 0 });
    expect(await storedState(service.db, many.connectionId)).toMatchObject({ pending: MANY, events: 0 });
    await workOff();
  });

  it('is what every reader gets from its commit on, and is stored in batches with dense events', async () => {
    const own = await another();
    const device = deviceOf(own.device);
    const { session } = own.merchant;
    await service.db`
      insert into webhook_endpoints (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box,
        created_at, updated_at)
      values ('whe_many', ${own.merchant.merchantId}, 'https://example.com/', ${['payment_request.rejected']}, 'active',
              'k', '', now(), now())`;
    const template = await pendingRequest(service, own);
    await multiplyRequest(service.db, template, MANY - 1);
    await succeed(service.call('DELETE', `/v1/connections/${own.connectionId}`, { device }));

    // Its own call has closed one batch; the rest waits for the background.
    expect(await storedState(service.db, own.connectionId)).toMatchObject({
      pending: MANY - AT_ONCE,
      rejected: AT_ONCE,
    });
    expect(codeOf(await postRequest(service, own))).toEqual([401, 'token_revoked']);
    const query = { connection_id: own.connectionId };
    for (const reader of [{ device }, { session }]) {
      expect((await listOf(reader, { ...query, status: 'pending' })).payment_requests).toEqual([]);
      let cursor: string | undefined;
      for (let page = 0; page < 3; page += 1) {
        const more = cursor === undefined ? {} : { cursor };
        const shown = await listOf(reader, { ...query, status: 'rejected', limit: 100, ...more });
        expect(shown.payment_requests).toHaveLength(100);
        expect(statusesOf(shown.payment_requests)).toEqual(['rejected']);
        cursor = shown.next_cursor;
      }
      expect(statusesOf((await listOf(reader, { ...query, limit: 100 })).payment_requests)).toEqual([
        'rejected',
      ]);
    }
    for (const [index, reader] of [{ device }, { session }].entries()) {
      const id = `${template.request_id}-${15_000 + index}`;
      const read = await service.call('GET', `/v1/payment-requests/${id}`, { ...reader, query });
      expect(read.body.payment_request).toMatchObject({ status: 'rejected', reason: 'connection_revoked' });
      const [event] = await service.db`
        select status, actor, reason from payment_request_events
        where connection_id = ${own.connectionId} and request_id = ${id}`;
      expect(event).toEqual({ status: 'rejected', actor: 'system', reason: 'connection_revoked' });
    }
    for (const status of ['signed', 'failed'])
      expect(codeOf(await report(service, own, `${template.request_id}-16000`, { status }))).toEqual([
        409,
        'invalid_status_transition',
      ]);

    const before = await storedState(service.db, own.connectionId);
    await revocationJob.run(service.context);
    const after = await storedState(service.db, own.connectionId);
    expect(before.pending - after.pending).toBe(AT_ONCE);
    expect(await workOff()).toBeGreaterThan(50);
    expect(await storedState(service.db, own.connectionId)).toEqual({
      pending: 0,
      rejected: MANY,
      events: MANY,
      last: MANY,
      requestsWithEvent: MANY,
      messages: MANY,
    });
    expect(await service.db`select from connection_revocations`).toHaveLength(0);
  }, 240_000);

  it('leaves what was signed to its end', async () => {
    const own = await another();
    const { request_id } = await pendingRequest(service, own);
    await succeed(report(service, own, request_id, { status: 'signed' }));
    const device = deviceOf(own.device);
    await succeed(service.call('DELETE', `/v1/connections/${own.connectionId}`, { device }));
    expect((await report(service, own, request_id, { status: 'broadcasted' })).status).toBe(200);
  });

  it('counts before an expiry that came later, no matter who settles it and when', async () => {
    const own = await another();
    service.clock.freeze();
    onTestFinished(() => service.clock.release());
    const life = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString();
    const early = await pendingRequest(service, own, { expires_at: life(60_000) });
    const late = await pendingRequest(service, own, { expires_at: life(180_000) });
    service.clock.advance(120_000);
    const revokedAt = service.clock.now().toISOString();
    await statementsOfRevoking(own);
    service.clock.advance(120_000);
    const device = deviceOf(own.device);
    const read = async (id: string) =>
      (await service.call('GET', `/v1/payment-requests/${id}`, { device })).body.payment_request;
    expect(await read(early.request_id)).toMatchObject({
      status: 'expired',
      reason: null,
      updated_at: early.expires_at,
    });
    expect(await read(late.request_id)).toMatchObject({
      status: 'rejected',
      reason: 'connection_revoked',
      updated_at: revokedAt,
    });
  });
});

describe('everything else that revokes connections', () => {
  it('an agent: its requests read rejected before its connections are ended', async () => {
    const doomed = await paymentStage(service, { merchant: stage.merchant });
    const { request_id } = await pendingRequest(service, doomed);
    const { session } = doomed.merchant;
    const agent = (await succeed(service.call('GET', `/v1/agents/${doomed.agent.agentId}`, { session }))).body
      .agent;
    const body = { status: 'revoked', version: agent.version };
    await succeed(service.call('PATCH', `/v1/agents/${doomed.agent.agentId}`, { session, body }));
    const pending = await listOf({ session }, { status: 'pending', connection_id: doomed.connectionId });
    expect(pending.payment_requests).toEqual([]);
    const rejected = await listOf({ session }, { status: 'rejected', connection_id: doomed.connectionId });
    expect(rejected.payment_requests).toMatchObject([{ request_id, reason: 'connection_revoked' }]);
    expect(codeOf(await report(service, doomed, request_id, { status: 'signed' }))).toEqual([
      409,
      'invalid_status_transition',
    ]);
    await workOff();
    expect(await storedState(service.db, doomed.connectionId)).toMatchObject({ pending: 0, events: 1 });
  });

  it('the last device: connections of the wallet are revoked by the commit, and a recovered wallet cannot sign', async () => {
    const own = await another();
    const others = await Promise.all(
      Array.from({ length: 25 }, async () => ({
        ...own,
        ...(await connect(service, own.agent, own.device)),
      })),
    );
    const requests = await Promise.all(others.map((each) => pendingRequest(service, each)));
    await succeed(
      service.call('DELETE', `/v1/wallet-devices/${own.device.device_id}`, { device: deviceOf(own.device) }),
    );
    for (const each of others)
      expect(codeOf(await readRequest(service, each, 'pr_x'))).toEqual([401, 'token_revoked']);
    // More than the call itself closes.
    expect((await service.db`select from connection_revocations`).length).toBeGreaterThan(0);
    const { recoveryCode } = own.device;
    const back = await enrolDevice(service, { recovery_code: recoveryCode });
    for (const { request_id } of requests)
      expect(codeOf(await report(service, { device: back }, request_id, { status: 'signed' }))).toEqual([
        409,
        'invalid_status_transition',
      ]);
    await workOff();
    const [told] = await service.db`
      select count(*)::int as audited from audit_events
      where type = 'connection.revoked' and target_id = any(${others.map((each) => each.connectionId)}::text[])`;
    expect(told).toEqual({ audited: others.length });
    expect(await service.db`select from connection_revocations`).toHaveLength(0);
  });
});

it('a create that is under way holds off the revocation of its connection', async () => {
  const { db } = service;
  const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
  const { request_id: known } = await pendingRequest(service, own);
  const idempotencyKey = 'held';
  let created: Promise<Received> | undefined;
  let revoked: Promise<Received> | undefined;
  // Another one with the same key, not committed: the create has passed its gate and waits for the outcome.
  const held = db.begin(async (tx) => {
    await tx`
      insert into payment_requests
      select copy.* from payment_requests r cross join lateral jsonb_populate_record(
        r, jsonb_build_object('listed_version', null, 'request_id', 'pr_held', 'idempotency_key', ${idempotencyKey}::text)) copy
      where r.request_id = ${known}`;
    created = postRequest(service, own, {}, { idempotencyKey });
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    const device = deviceOf(own.device);
    revoked = service.call('DELETE', `/v1/connections/${own.connectionId}`, { device });
    await expect.poll(() => waitingForLocks(db)).toBe(2);
    throw new Error('rolled back');
  });
  await expect(held).rejects.toThrow('rolled back');
  expect([(await created)?.status, (await revoked)?.status]).toEqual([201, 200]);
  while (await revocationJob.run(service.context));
  expect(await db`select from pending_requests where connection_id = ${own.connectionId}`).toHaveLength(0);
});
