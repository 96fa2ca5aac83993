import { afterEach, expect, it } from 'vitest';
import { succeed } from '../../../test/harness/merchants.ts';
import { allEvents, paymentStage, readRequest } from '../../../test/harness/payments.ts';
import { type ServiceProcess, startProcess } from '../../../test/harness/process.ts';
import { freePort, startService } from '../../../test/harness/service.ts';
import { broadcasted, startHorizons } from '../../../test/harness/settlements.ts';
import { until } from '../../../test/harness/webhooks.ts';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const PAYMENTS = 8;
const KILLS = 2;

it('observers that are killed make each change once, and leave no gap in the events', async () => {
  const { horizons, options, close } = await startHorizons(2);
  const service = await startService(options);
  cleanups.push(close, () => service.close());
  const stage = await paymentStage(service);
  // From here on the observers are others; this service still answers.
  service.context.stop();
  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
    cleanups.push(() => started.end('SIGKILL'));
    return started;
  };
  const observers = [await start(), await start()];
  const call = observers[0]?.call ?? service.call;
  const payments: Awaited<ReturnType<typeof broadcasted>>[] = [];
  for (let index = 0; index < PAYMENTS; index += 1) payments.push(await broadcasted({ call }, stage));
  const killOne = async (kill: number) => {
    const victim = observers[1];
    await victim?.end('SIGKILL');
    // What it held is free when its lease is over; nobody waits a minute for that here.
    await service.db`update observations set look_at = now() where lease is not null`;
    observers[1] = await start();
    const paid = payments[kill];
    if (paid) for (const horizon of horizons) horizon.has(paid.txHash, paid.request.payment);
  };
  for (let kill = 0; kill < KILLS; kill += 1) await killOne(kill);
  for (const { request, txHash } of payments)
    for (const horizon of horizons) horizon.has(txHash, request.payment);
  await until(async () => {
    await service.db`update observations set look_at = now()`;
    const [row] = await service.db`select count(*)::int as count from settlements where status = 'final'`;
    return row?.['count'] === PAYMENTS;
  }, 300_000);

  const events = await allEvents({ call }, stage);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
  for (const { request } of payments) {
    const states = events
      .filter((event) => event.request_id === request.request_id)
      .flatMap((event) => event.settlement_state ?? []);
    const [settlement] =
      await service.db`select changes from settlements where record_id = ${request.request_id}`;
    expect(states, states.join()).toHaveLength(settlement?.['changes']);
    expect(states.filter((state, index) => state === states[index - 1])).toEqual([]);
    expect(states.at(-1)).toBe('final');
    const { payment_request } = (await succeed(readRequest({ call }, stage, request.request_id))).body;
    expect(payment_request.settlement.state).toBe('final');
  }
}, 600_000);
