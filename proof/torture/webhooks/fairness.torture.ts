import { expect, it, onTestFinished } from 'vitest';
import { verifiedMerchant } from '../../stage/people/merchants.ts';
import {
  activeEndpoint,
  causeEvents,
  createEndpoint,
  eventsAt,
  fillQueue,
  forceActive,
  until,
} from '../../stage/people/webhooks.ts';
import { serviceForTest } from '../../stage/service/service.ts';
import { startHttpReceiver } from '../../stage/surroundings/http-receiver.ts';

const DEAD = 50;
const EVENTS = 1_000;

it(`${DEAD} dead endpoints and one healthy, ${EVENTS} events`, async () => {
  const service = await serviceForTest();
  const [dead, healthy] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  onTestFinished(async () => void (await Promise.all([dead.close(), healthy.close()])));
  dead.script({ kind: 'never' });
  const [shop, ...others] = await Promise.all(Array.from({ length: 4 }, () => verifiedMerchant(service)));
  if (!shop) throw new Error('no merchant');
  await activeEndpoint(service, shop, healthy);
  for (let index = 0; index < DEAD; index += 1) {
    const owner = (index < 15 ? shop : others[index % others.length]) ?? shop;
    const { endpointId } = await createEndpoint(service, owner, { url: `${dead.url}/${index}` });
    await forceActive(service.db, endpointId);
    await fillQueue(service.db, owner.merchantId, [endpointId], 200, service.clock.now());
  }
  const queuedAt = new Map<string, number>();
  for (let index = 0; index < EVENTS; index += 1) {
    const [eventId = ''] = await causeEvents(service.context, shop.merchantId);
    queuedAt.set(eventId, Date.now());
  }
  await until(() => eventsAt(healthy).length >= EVENTS, 120_000);
  const delaysMs = eventsAt(healthy)
    .map((request) => request.at - (queuedAt.get(request.headers['webhook-id'] ?? '') ?? 0))
    .sort((a, b) => a - b);
  const at = (share: number) => delaysMs[Math.ceil(share * delaysMs.length) - 1] ?? Number.NaN;
  process.stdout.write(
    `healthy endpoint: ${delaysMs.length} of ${EVENTS}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms; ` +
      `dead endpoints: ${dead.requests.length} attempts, ${dead.openConnectionCount} under way\n`,
  );
  expect(delaysMs).toHaveLength(EVENTS);
  expect(at(0.99)).toBeLessThan(2_000);
});
