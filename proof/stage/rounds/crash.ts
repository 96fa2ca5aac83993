import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type PaymentStage, paymentBody, pendingRequest, report } from '../people/payments.ts';
import { deviceOf } from '../people/wallets.ts';
import type { TestService } from '../service/service.ts';
import { sideBySide, startBeside } from './pair.ts';

/** What a client can rely on: the calls that got a response. */
interface Acknowledged {
  key: string;
  amount: string;
  requestId?: string;
  /** Statuses that were returned 200. */
  statuses: string[];
}

/**
 * `kill -9` of a service under load. Everything it had acknowledged is there afterwards; everything else converges when
 * the client sends the call again with the same key; events stay dense.
 */
export async function killUnderLoad(
  service: TestService,
  stages: readonly PaymentStage[],
  size: { rounds: number; clients: number; loadMs: number },
): Promise<{ acknowledged: number; retried: number }> {
  let acknowledged = 0;
  let retried = 0;
  for (let round = 0; round < size.rounds; round += 1) {
    const victim = await startBeside(service);
    const log: (Acknowledged & { stage: PaymentStage })[] = [];
    const load = sideBySide(size.clients, async (client) => {
      const stage = stages[client % stages.length];
      if (!stage) throw new Error('no connection for this client');
      for (let step = 0; ; step += 1) {
        const entry = { key: randomUUID(), amount: `${step + 1}`, statuses: [] as string[], stage };
        log.push(entry);
        try {
          await oneLife(victim, entry);
        } catch {
          return; // the service is gone
        }
      }
    });
    // The load counts from the first response: a process that has just started may take long for it.
    let isOver = false;
    const firstAnswer = async () => {
      while (!isOver && log.every(({ requestId }) => requestId === undefined)) await pause(5);
    };
    await Promise.race([firstAnswer(), load]);
    await pause(size.loadMs + round * 37);
    isOver = true;
    await victim.end('SIGKILL');
    await load;
    for (const entry of log) {
      if (entry.requestId === undefined) retried += 1;
      else acknowledged += 1;
    }
    await sideBySide(size.clients, async () => {
      for (let entry = log.pop(); entry; entry = log.pop()) await settleEntry(service, entry);
    });
    for (const stage of stages) await expectDense(service, stage);
  }
  return { acknowledged, retried };
}

async function oneLife(
  service: { call: TestService['call'] },
  entry: Acknowledged & { stage: PaymentStage },
): Promise<void> {
  const { stage } = entry;
  const made = await create(service, entry);
  if (made.status !== 201) throw new Error(`returned ${made.status}: ${made.text}`);
  entry.requestId = made.body.payment_request.request_id;
  for (const status of ['signed', 'broadcasted', 'confirmed']) {
    const moved = await report(service, stage, entry.requestId ?? '', { status });
    if (moved.status !== 200) throw new Error(`returned ${moved.status}: ${moved.text}`);
    entry.statuses.push(status);
  }
}

function create(
  service: { call: TestService['call'] },
  entry: { key: string; amount: string; stage: PaymentStage },
) {
  return service.call('POST', '/v1/payment-requests', {
    bearer: entry.stage.connectionToken,
    idempotencyKey: entry.key,
    body: paymentBody(entry.stage, { payment: { amount: entry.amount } }),
  });
}

const RANK = ['pending', 'signed', 'broadcasted', 'confirmed'];

async function settleEntry(
  service: TestService,
  entry: Acknowledged & { stage: PaymentStage },
): Promise<void> {
  const again = await create(service, entry);
  expect([200, 201]).toContain(again.status);
  const record = again.body.payment_request;
  expect(record.payment.amount).toBe(entry.amount);
  if (entry.requestId === undefined) return;
  expect(again.status).toBe(200);
  expect(record.request_id).toBe(entry.requestId);
  const last = entry.statuses.at(-1) ?? 'pending';
  expect(RANK.indexOf(record.status)).toBeGreaterThanOrEqual(RANK.indexOf(last));
  // The report that was in flight when the service was killed: repeating it succeeds, whether it had arrived or not.
  const next = RANK[entry.statuses.length + 1];
  if (next === undefined) return;
  const moved = await report(service, entry.stage, entry.requestId, { status: next });
  expect(moved.status, moved.text).toBe(200);
}

async function expectDense(service: TestService, stage: PaymentStage): Promise<void> {
  const events = await service.db<{ sequence: number; step: string }[]>`
    select sequence, request_id || ' ' || state_version as step from payment_request_events
    where connection_id = ${stage.connectionId} order by sequence`;
  expect(events.map((event) => event.sequence)).toEqual(events.map((_event, index) => index + 1));
  expect(new Set(events.map((event) => event.step)).size).toBe(events.length);
  const [row] = await service.db<{ steps: number }[]>`
    select coalesce(sum(state_version - 1), 0)::int as steps from payment_requests
    where connection_id = ${stage.connectionId}`;
  expect(events.length).toBe(row?.steps);
}

/** Proves that the service in the test still responds after all of it. */
export async function expectAlive(service: TestService, stage: PaymentStage): Promise<void> {
  const { request_id } = await pendingRequest(service, stage);
  const read = await service.call('GET', `/v1/payment-requests/${request_id}`, {
    device: deviceOf(stage.device),
  });
  expect(read.body.payment_request.status).toBe('pending');
}
