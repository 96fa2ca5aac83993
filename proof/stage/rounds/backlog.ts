import { expect } from 'vitest';
import { listCopies } from '../database/many.ts';
import { type PaymentStage, pendingRequest } from '../people/payments.ts';
import type { TestService } from '../service/service.ts';

/**
 * A service that was away finds many requests past their time. It works them off in bounded batches, numbers every
 * event, and serves creates meanwhile. Returns how long those took, in milliseconds and sorted.
 */
export async function workOffBacklog(
  service: TestService,
  stage: PaymentStage,
  size: { overdue: number; creates: number },
): Promise<number[]> {
  const template = await pendingRequest(service, stage);
  await service.db`
    insert into payment_requests
    select (jsonb_populate_record(r, jsonb_build_object(
      'listed_version', null, 'request_id', 'late-' || n, 'idempotency_key', 'late-' || n,
      'expires_at', r.created_at + interval '1 second' * (n % 50)))).*
    from payment_requests r cross join generate_series(1, ${size.overdue}::int) n
    where r.request_id = ${template.request_id} and r.merchant_id = ${stage.merchant.merchantId}`;
  await listCopies(service.db, stage.connectionId);
  service.clock.advance(51_000);
  const timesMs: number[] = [];
  while (timesMs.length < size.creates) {
    const startMs = performance.now();
    await pendingRequest(service, stage);
    timesMs.push(performance.now() - startMs);
  }
  const { overdue } = size;
  await expect
    .poll(() => readState(service, stage), { timeout: 20_000 + overdue * 10, interval: 200 })
    .toEqual({ events: overdue, last: overdue, requests: overdue, due: 0 });
  return timesMs.sort((left, right) => left - right);
}

async function readState(service: TestService, stage: PaymentStage) {
  const [row] = await service.db<[{ events: number; last: number; requests: number }]>`
    select count(*)::int as events, max(sequence)::int as last, count(distinct request_id)::int as requests
    from payment_request_events where connection_id = ${stage.connectionId}`;
  const [open] = await service.db<[{ due: number }]>`
    select count(*)::int as due from payment_requests
    where connection_id = ${stage.connectionId} and status = 'pending' and expires_at < ${service.clock.now()}`;
  return { ...row, ...open };
}
