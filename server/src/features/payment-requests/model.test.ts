import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentBody, paymentStage, report } from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import {
  applyReport,
  type Expected,
  emptyModel,
  expectCreate,
  type Model,
  type ModelRequest,
  passTime,
  revoke,
  type Status,
} from '@payassent/proof/rounds/model';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const RUNS = Number(process.env['SVC_TORTURE_RUNS'] ?? 10);
const STEPS = 30;
const CONNECTIONS = 2;

let service: TestService;
let stage: PaymentStage;
let devices: TestDevice[];
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const device = deviceOf(stage.device);
  const link = await succeed(service.call('POST', '/v1/wallet-devices/link-codes', { device }));
  devices = [stage.device, await enrolDevice(service, { link_code: link.body.link_code })];
});
afterAll(() => service.close());

interface Real {
  connections: PaymentStage[];
}
type Step = fc.AsyncCommand<Model, Real>;

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}

function expectAnswer(received: Received, expected: Expected): void {
  expect([received.status, received.body.error?.code], received.text).toEqual([
    expected.status,
    expected.code,
  ]);
}

async function readRecord(model: Model, request: ModelRequest): Promise<void> {
  const device = deviceOf(stage.device);
  const received = await service.call('GET', `/v1/payment-requests/${request.requestId}`, { device });
  expect(received.body.payment_request).toMatchObject({
    request_id: request.requestId,
    status: request.status,
    state_version: request.stateVersion,
    is_final: ['confirmed', 'failed', 'expired', 'rejected'].includes(request.status),
    tx_hash: request.txHash,
    reason: request.reason,
    expires_at: new Date(request.expiresAt).toISOString(),
    updated_at: new Date(request.updatedAt).toISOString(),
    payment: { amount: request.amount, to: stage.payee.address },
  });
  expect(model.requests).toContain(request);
}

/** A revocation is processed right after its commit, by its own call or by the job, whichever locks the rows first. */
async function storedEvents(connectionId: string) {
  const open = () =>
    service.db`select from payment_requests where connection_id = ${connectionId} and status = 'pending'`;
  await expect.poll(open).toHaveLength(0);
  return service.db`
    select * from payment_request_events where connection_id = ${connectionId} order by sequence`;
}

/** Compares every event of the connection, in the agent's view while it has one, with the model's events. */
async function compareEvents(model: Model, real: Real, connection: number): Promise<void> {
  const own = at(real.connections, connection);
  const isAlive = model.connections[connection]?.status !== 'revoked';
  const rows = isAlive
    ? (
        await succeed(
          service.call('GET', '/v1/payment-requests/events', {
            bearer: own.connectionToken,
            query: { limit: 500 },
          }),
        )
      ).body.events
    : await storedEvents(own.connectionId);
  expect(rows.map((row: { sequence: number }) => row.sequence)).toEqual(
    rows.map((_row: unknown, index: number) => index + 1),
  );
  const mine = model.requests.filter((request) => request.connection === connection);
  expect(rows).toHaveLength(mine.flatMap((request) => request.events).length);
  for (const request of mine) {
    const steps = rows
      .filter((row: { request_id: string }) => row.request_id === request.requestId)
      .map((row: Record<string, string>) => ({
        status: row['status'],
        previous_status: row['previous_status'],
        state_version: row['state_version'],
        actor: row['actor'],
        occurred_at: new Date(row['occurred_at'] ?? '').getTime(),
      }));
    expect(steps).toEqual(request.events);
  }
}

function step(name: string, run: (model: Model, real: Real) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name };
}

const createStep = (connection: number, keyNumber: number, amount: string, lifeMs: number | null): Step =>
  step(`create ${connection} k${keyNumber} ${amount} ${lifeMs}`, async (model, real) => {
    const own = at(real.connections, connection);
    const expiresAt = model.now + (lifeMs ?? 3_600_000);
    const body = paymentBody(stage, {
      payment: { amount },
      ...(lifeMs === null ? {} : { expires_at: new Date(expiresAt).toISOString() }),
    });
    const key = `k${keyNumber}`;
    const expected = expectCreate(model, connection, key, body);
    const received = await service.call('POST', '/v1/payment-requests', {
      bearer: own.connectionToken,
      idempotencyKey: key,
      body,
    });
    expectAnswer(received, expected);
    const record = received.body.payment_request;
    if (expected.replay)
      expect(record).toMatchObject({ request_id: expected.replay.requestId, status: expected.replay.status });
    if (expected.status === 201)
      model.requests.push({
        requestId: record.request_id,
        connection,
        key,
        body,
        amount,
        expiresAt,
        status: 'pending',
        stateVersion: 1,
        txHash: null,
        reason: null,
        decidedBy: null,
        updatedAt: model.now,
        events: [],
      });
  });

const replayStep = (choice: number): Step => ({
  check: (model) => model.requests.length > 0,
  toString: () => `replay ${choice}`,
  async run(model, real) {
    const request = at(model.requests, choice);
    const own = at(real.connections, request.connection);
    const expected = expectCreate(model, request.connection, request.key, request.body);
    const received = await service.call('POST', '/v1/payment-requests', {
      bearer: own.connectionToken,
      idempotencyKey: request.key,
      body: request.body,
    });
    expectAnswer(received, expected);
    if (expected.replay)
      expect(received.body.payment_request).toMatchObject({
        request_id: request.requestId,
        status: request.status,
      });
  },
});

const reportStep = (
  choice: number,
  device: number,
  status: Status,
  txHash: string | undefined,
  takeover: boolean | undefined,
): Step => ({
  check: (model) => model.requests.length > 0,
  toString: () => `report ${choice} by ${device}: ${status} ${txHash ?? ''} ${takeover ?? ''}`,
  async run(model, real) {
    const request = at(model.requests, choice);
    const body = {
      status,
      ...(txHash === undefined ? {} : { tx_hash: txHash }),
      ...(takeover === undefined ? {} : { takeover }),
    };
    const received = await report(service, { device: at(devices, device) }, request.requestId, body);
    const expected = applyReport(model, request, device, body);
    expectAnswer(received, expected);
    if (expected.hasEvent !== undefined)
      expect(received.body.event !== null, received.text).toBe(expected.hasEvent);
    await readRecord(model, request);
    await compareEvents(model, real, request.connection);
  },
});

const pauseStep = (connection: number, status: 'active' | 'paused'): Step =>
  step(`${status} ${connection}`, async (model, real) => {
    const state = model.connections[connection];
    const { connectionId } = at(real.connections, connection);
    const received = await service.call('PATCH', `/v1/connections/${connectionId}`, {
      device: deviceOf(stage.device),
      body: { status },
    });
    expect(received.status).toBe(state?.status === 'revoked' ? 409 : 200);
    if (state && state.status !== 'revoked') state.status = status;
  });

const revokeStep = (connection: number): Step =>
  step(`revoke ${connection}`, async (model, real) => {
    const { connectionId } = at(real.connections, connection);
    const device = deviceOf(stage.device);
    await succeed(service.call('DELETE', `/v1/connections/${connectionId}`, { device }));
    revoke(model, connection);
    await compareEvents(model, real, connection);
  });

const clockStep = (durationMs: number): Step =>
  step(`wait ${durationMs}`, async (model) => {
    service.clock.advance(durationMs);
    passTime(model, durationMs);
  });

const STATUSES: Status[] = ['pending', 'signed', 'broadcasted', 'confirmed', 'failed', 'expired', 'rejected'];
const connection = fc.nat({ max: CONNECTIONS - 1 });
const choice = fc.nat({ max: 20 });
const steps = fc.commands(
  [
    fc
      .tuple(
        connection,
        fc.nat({ max: 4 }),
        fc.constantFrom('1', '2.50'),
        fc.constantFrom(null, 1, 1000, 60_000),
      )
      .map((parts) => createStep(...parts)),
    fc
      .tuple(
        choice,
        fc.nat({ max: 1 }),
        fc.constantFrom(...STATUSES, 'signed' as const, 'broadcasted' as const),
        fc.constantFrom(undefined, undefined, 'aa', 'bb'),
        fc.constantFrom(undefined, undefined, true, false),
      )
      .map((parts) => reportStep(...parts)),
    choice.map(replayStep),
    fc
      .tuple(connection, fc.constantFrom('active' as const, 'paused' as const))
      .map((parts) => pauseStep(...parts)),
    fc.constantFrom(1, 999, 1000, 60_000, 3_600_000, 3_600_001).map(clockStep),
    connection.map(revokeStep),
  ],
  { maxCommands: STEPS, size: 'max' },
);

describe('any sequence of creates, replays, reports, pauses, revocations and clock moves', () => {
  it(`agrees with the reference model (${RUNS} runs)`, { timeout: 60_000 + RUNS * 10_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        service.clock.freeze();
        try {
          const connections: PaymentStage[] = [];
          while (connections.length < CONNECTIONS)
            connections.push({ ...stage, ...(await connect(service, stage.agent, stage.device)) });
          const model = emptyModel(service.clock.now().getTime(), CONNECTIONS);
          const real = { connections };
          await fc.asyncModelRun(() => ({ model, real }), commands);
          for (const request of model.requests) await readRecord(model, request);
          for (let index = 0; index < CONNECTIONS; index += 1) await compareEvents(model, real, index);
        } finally {
          service.clock.release();
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
