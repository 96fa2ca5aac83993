import { expect, it } from 'vitest';
import { fillQueue, until } from '../../stage/people/webhooks.ts';
import {
  cpuSeconds,
  databaseCpuSeconds,
  quietService,
  type ReceiverStats,
  runBareLoop,
  startReceiverProcess,
  startWorker,
} from './webhook-stage.ts';

const COUNT = Number(process.env['COUNT'] ?? 10_000);
const IN_FLIGHT = 16;
const ROUNDS = 3;

/** The start is left out: connections and windows grow in it. */
function ratePerS({ count, firstMs, lastMs }: ReceiverStats): number {
  return (count / (lastMs - firstMs)) * 1000;
}

it(`${COUNT} deliveries to one receiver reach half the rate of a bare loop with as many in flight`, async () => {
  const receiver = await startReceiverProcess();
  const { service, merchant, endpoints } = await quietService([`${receiver.url}/hook`]);
  const endpointIds = endpoints.map((endpoint) => endpoint.endpointId);
  const body = JSON.stringify({ data: 'x'.repeat(720) });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await receiver.reset();
    const bareCpu = await runBareLoop(`${receiver.url}/bare`, COUNT, IN_FLIGHT, body);
    const bare = ratePerS(await receiver.stats());
    await receiver.reset();
    await fillQueue(service.db, merchant.merchantId, endpointIds, COUNT, new Date(Date.now() - 1000));
    const worker = await startWorker(service);
    const pid = worker.child.pid ?? 0;
    const before = [cpuSeconds(pid), await databaseCpuSeconds(service.db)] as const;
    await until(async () => (await receiver.stats()).count >= COUNT, 120_000);
    const ours = ratePerS(await receiver.stats());
    const cpu = cpuSeconds(pid) - before[0];
    const databaseCpu = (await databaseCpuSeconds(service.db)) - before[1];
    await worker.end();
    const micros = (seconds: number) => `${((seconds / COUNT) * 1e6).toFixed(0)} µs`;
    process.stdout.write(
      `bare ${bare.toFixed(0)}/s (${micros(bareCpu)} each), delivered ${ours.toFixed(0)}/s ` +
        `(${micros(cpu)} in the service, ${micros(databaseCpu)} in the database): ${(ours / bare).toFixed(2)}\n`,
    );
    ratios.push(ours / bare);
  }
  expect(Math.max(...ratios)).toBeGreaterThan(0.5);
});
