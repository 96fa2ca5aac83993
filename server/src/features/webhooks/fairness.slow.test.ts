// Slow: lets hundreds of receivers hang.

import { verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activeEndpoint,
  answering,
  causeEvents,
  createEndpoint,
  eventsAt,
  fillQueue,
  forceActive,
  until,
} from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { LIMITS } from './load.ts';

const DEAD = 50;
const EVENTS = 100;

let service: TestService;
let dead: TestReceiver;
let healthy: TestReceiver;
beforeAll(async () => {
  service = await startService();
  [dead, healthy] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
});
afterAll(async () => {
  await service.close();
  await Promise.all([dead.close(), healthy.close()]);
});

it(`${DEAD} endpoints that hang with full queues do not delay a healthy one`, async () => {
  dead.script({ kind: 'never' });
  const merchants = await Promise.all(Array.from({ length: 4 }, () => verifiedMerchant(service)));
  const [shop, ...others] = merchants;
  if (!shop) throw new Error('no merchant');
  await activeEndpoint(service, shop, healthy);
  for (let index = 0; index < DEAD; index += 1) {
    // Fifteen of the healthy one's merchant, the rest of others.
    const owner = index < 15 ? shop : others[index % others.length];
    if (!owner) continue;
    const { endpointId } = await createEndpoint(service, owner, { url: `${dead.url}/${index}` });
    await forceActive(service.db, endpointId);
    await fillQueue(service.db, owner.merchantId, [endpointId], 20, service.clock.now());
  }
  await until(() => dead.requests.length >= DEAD);

  const queuedAt = new Map<string, number>();
  for (let index = 0; index < EVENTS; index += 1) {
    const [eventId = ''] = await causeEvents(service.context, shop.merchantId);
    queuedAt.set(eventId, Date.now());
  }
  await until(() => eventsAt(healthy).length >= EVENTS);
  const delaysMs = eventsAt(healthy)
    .map((request) => request.at - (queuedAt.get(request.headers['webhook-id'] ?? '') ?? 0))
    .sort((a, b) => a - b);
  expect(delaysMs).toHaveLength(EVENTS);
  expect(delaysMs[Math.ceil(0.99 * EVENTS) - 1], 'before the dead ones give up').toBeLessThan(10_000);
  // Hanging receivers stay within their limits: a few tries each, never the whole queue.
  expect(dead.openConnectionCount).toBeLessThanOrEqual(DEAD * LIMITS.firstWindow + LIMITS.slow);
  dead.script(answering());
});

it('sixteen busy endpoints of one merchant share its places evenly', async () => {
  const shop = await verifiedMerchant(service);
  const receiver = await startHttpReceiver();
  onTestFinished(() => receiver.close());
  const rows = 50;
  const ids: string[] = [];
  for (let index = 0; index < 16; index += 1) {
    // Long enough that the receivers' response time, not the processor, limits how fast the queues empty.
    const script = { kind: 'answer', delayMs: 120 } as const;
    ids.push((await activeEndpoint(service, shop, receiver, { path: `/${index}`, script })).endpointId);
  }
  await fillQueue(service.db, shop.merchantId, ids, rows, service.clock.now());
  await until(() => eventsAt(receiver).length >= 16 * rows, 50_000);
  const firstHalf = eventsAt(receiver).slice(0, 8 * rows);
  const counts = ids.map((_, index) => firstHalf.filter((request) => request.path === `/${index}`).length);
  expect(Math.min(...counts)).toBeGreaterThan(rows / 4);
  expect(Math.max(...counts)).toBeLessThan(rows);
});
