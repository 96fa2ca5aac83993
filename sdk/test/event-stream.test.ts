import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { PaymentRequestEvent } from '@payassent/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caught } from './harness/scripted.ts';

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
});
afterAll(() => service.close());

const openStreams = async () =>
  Number(/^svc_event_streams (\d+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1]);
const PATIENCE = { timeout: 60_000, interval: 50 };

async function causeEvent(): Promise<void> {
  const { connection, payee } = world;
  const input = { recipient_id: payee.recipientId, payment: { amount: '1' } };
  const { request_id } = (await connection.paymentRequests.create(input)).payment_request;
  await connection.paymentRequests.withdraw(request_id);
}

it('a followed stream outlives a restart of the service without a gap, and closes when its reader has enough', async () => {
  const seen: PaymentRequestEvent[] = [];
  const following = (async () => {
    // A restart takes a busy machine longer than a few retries.
    const options = { stream: true, maxRetries: 20 };
    for await (const event of world.connection.paymentRequests.events(options)) {
      seen.push(event);
      if (seen.length === 3) break;
    }
  })();
  await causeEvent();
  await expect.poll(() => seen.length, PATIENCE).toBe(1);
  await service.restart();
  await causeEvent();
  await causeEvent();
  await following;
  expect(seen).toEqual((await world.connection.paymentRequests.listEvents()).events);
  await expect.poll(openStreams, PATIENCE).toBe(0);
});

it('an abort ends a followed stream with its reason, here and at the service', async () => {
  const end = new AbortController();
  const following = world.connection.paymentRequests.events({ stream: true, since: 3, signal: end.signal });
  const next = caught(following.next());
  await expect.poll(openStreams, PATIENCE).toBe(1);
  end.abort(new Error('enough'));
  expect(await next).toMatchObject({ message: 'enough' });
  await expect.poll(openStreams, PATIENCE).toBe(0);
});
