import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { succeed } from '../people/merchants.ts';
import { type PaymentStage, pendingRequest, postRequest, report } from '../people/payments.ts';
import { connect, deviceOf, type TestDevice } from '../people/wallets.ts';
import type { TestService } from '../service/service.ts';
import type { Pair } from './pair.ts';

const MOST_LIFE_MS = 60_000;

/**
 * Signed by one device, rejected by the other, expiry and revocation, all at about the same moment and over both
 * processes: one outcome, one event, and only the call that caused it reports success.
 */
export async function decisionsAtOnce(
  service: TestService,
  pair: Pair,
  stage: PaymentStage & { secondDevice: TestDevice },
  size: { rounds: number },
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < size.rounds; round += 1) {
    const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    // The four come within the same few milliseconds; which one is early changes from round to round.
    const { request_id, expires_at } = await shortLived(pair, own);
    const moment = Date.parse(expires_at) + (round % 7) * 2 - 8;
    const at = async <T>(offsetMs: number, work: () => Promise<T>) => {
      await pause(Math.max(0, moment + offsetMs - Date.now()));
      return work();
    };
    const device = deviceOf(stage.device);
    const [signed, rejected] = await Promise.all([
      at(0, () => report(pair, stage, request_id, { status: 'signed' })),
      at(0, () => report(pair, { device: stage.secondDevice }, request_id, { status: 'rejected' })),
      at((round % 3) - 1, () =>
        succeed(pair.call('DELETE', `/v1/connections/${own.connectionId}`, { device })),
      ),
    ]);
    const record = (await succeed(service.call('GET', `/v1/payment-requests/${request_id}`, { device }))).body
      .payment_request;
    const events = await service.db`
      select status, actor, reason, state_version, sequence from payment_request_events
      where connection_id = ${own.connectionId} and request_id = ${request_id}`;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ status: record.status, state_version: 2, sequence: 1 });
    const told = [signed, rejected].filter((received) => received.status === 200 && received.body.event);
    expect(told).toHaveLength(events[0]?.['actor'] === 'wallet' ? 1 : 0);
    for (const received of [signed, rejected]) expect([200, 409]).toContain(received.status);
    const outcome = events[0]?.['reason'] === 'connection_revoked' ? 'revoked' : record.status;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

/** Soon to expire. A busy machine may take longer to make it than it would have lived: then one that lives longer. */
async function shortLived(
  pair: Pair,
  stage: PaymentStage,
): Promise<{ request_id: string; expires_at: string }> {
  for (let lifeMs = 150; ; lifeMs *= 2) {
    const expires_at = new Date(Date.now() + lifeMs).toISOString();
    const received = await postRequest(pair, stage, { expires_at });
    if (received.status === 400 && lifeMs < MOST_LIFE_MS) continue;
    const { request_id } = (await succeed(Promise.resolve(received))).body.payment_request;
    return { request_id, expires_at };
  }
}

/** Creates against the revocation of their connection: nothing pending stays behind on a revoked connection. */
export async function createsAgainstRevocation(
  service: TestService,
  pair: Pair,
  stage: PaymentStage,
  size: { rounds: number; width: number },
): Promise<void> {
  for (let round = 0; round < size.rounds; round += 1) {
    const own = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    await pendingRequest(pair, own);
    const device = deviceOf(stage.device);
    const creating = Array.from({ length: size.width }, async (_none, index) => {
      await pause(index % 5);
      const received = await pair.call('POST', '/v1/payment-requests', {
        bearer: own.connectionToken,
        idempotencyKey: `${round}-${index}`,
        body: {
          recipient_id: own.payee.recipientId,
          payment: { amount: '1' },
          policy: { requires_user_approval: true },
        },
      });
      return received.status;
    });
    await pause(round % 5);
    await succeed(pair.call('DELETE', `/v1/connections/${own.connectionId}`, { device }));
    const statuses = await Promise.all(creating);
    for (const status of statuses) expect([201, 401]).toContain(status);
    const created = statuses.filter((status) => status === 201).length + 1;
    // The other process may be about to settle them: then the revocation passes over what it holds.
    const rows = () => service.db`
      select status, count(*)::int as count from payment_requests
      where connection_id = ${own.connectionId} group by status`;
    await expect.poll(rows, { timeout: 60_000 }).toEqual([{ status: 'rejected', count: created }]);
    const events = await service.db<{ sequence: number }[]>`
      select sequence from payment_request_events where connection_id = ${own.connectionId} order by sequence`;
    expect(events.map((event) => event.sequence)).toEqual(
      Array.from({ length: created }, (_none, index) => index + 1),
    );
  }
}
