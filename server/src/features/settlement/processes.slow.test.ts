// Slow: kills processes at random.
import { randomInt } from 'node:crypto';
import { succeed } from '@payassent/proof/people/merchants';
import { allEvents, paymentStage, readRequest } from '@payassent/proof/people/payments';
import { broadcasted, startHorizons } from '@payassent/proof/people/settlements';
import { until } from '@payassent/proof/people/webhooks';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort, startService } from '@payassent/proof/service/service';
import { afterEach, expect, it } from 'vitest';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const PAYMENTS = 8;
const KILLS = 4;
/** A lookup takes two to four calls, and the finding is written after the last. */
const MOST_CALLS_BEFORE_A_KILL = 12;

it('observers that are killed at random make each change once, and leave no gap in the events', async () => {
  const { horizons, options, close } = await startHorizons(2);
  const service = await startService(options);
  cleanups.push(close, () => service.close());
  const stage = await paymentStage(service);
  // From here on other processes observe; this service still responds.
  service.context.stop();
  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
    cleanups.push(() => started.end('SIGKILL'));
    return started;
  };
  const observers = [await start(), await start()];
  const payments: Awaited<ReturnType<typeof broadcasted>>[] = [];
  for (let index = 0; index < PAYMENTS; index += 1) payments.push(await broadcasted(service, stage));
  const asked = () => horizons.reduce((sum, { receiver }) => sum + receiver.requests.length, 0);
  // Pauses grow, and what a killed process held is free when its lease expires: the test does not wait for that.
  const hurry = () => service.db`update observations set look_at = now() where lease is null`;
  const endLeases = () => service.db`update observations set look_at = now() where lease is not null`;
  const kills: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Half of them appear, or vanish in a reorganization, while the lookups continue.
    for (const { request, txHash } of payments.filter((_payment, index) => index % 2 === kill % 2))
      for (const horizon of horizons)
        if (kill < 2) horizon.has(txHash, request.payment);
        else horizon.lacks(txHash);
    const victim = randomInt(2);
    const at = asked() + 1 + randomInt(MOST_CALLS_BEFORE_A_KILL);
    await until(async () => {
      await hurry();
      return asked() >= at;
    }, 120_000);
    await observers[victim]?.end('SIGKILL');
    kills.push(`${victim} at call ${at}`);
    await endLeases();
    observers[victim] = await start();
  }
  for (const { request, txHash } of payments)
    for (const horizon of horizons) horizon.has(txHash, request.payment);
  await until(async () => {
    await hurry();
    const [row] = await service.db`select count(*)::int as count from settlements where status = 'final'`;
    return row?.['count'] === PAYMENTS;
  }, 300_000);

  const events = await allEvents(service, stage);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
  for (const { request } of payments) {
    const states = events
      .filter((event) => event.request_id === request.request_id)
      .flatMap((event) => event.settlement_state ?? []);
    const [settlement] =
      await service.db`select changes from settlements where record_id = ${request.request_id}`;
    const said = `${states.join()}; killed ${kills.join(', ')}`;
    expect(states, said).toHaveLength(settlement?.['changes']);
    expect(
      states.filter((state, index) => state === states[index - 1]),
      said,
    ).toEqual([]);
    expect(states.at(-1), said).toBe('final');
    const { payment_request } = (await succeed(readRequest(service, stage, request.request_id))).body;
    expect(payment_request.settlement.state).toBe('final');
  }
}, 600_000);
