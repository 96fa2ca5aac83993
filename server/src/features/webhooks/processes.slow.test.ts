// Slow: kills processes between a delivery and its record.

import { createTcpProxy } from '@payassent/proof/faults/tcp-proxy';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activeEndpoint, answering, eventsAt, fillQueue, until } from '@payassent/proof/people/webhooks';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort, startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../../config/index.ts';
import { createContext } from '../../context.ts';
import { deliveryJob } from './job.ts';
import { LEASE_MS } from './worker-state.ts';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Stage {
  service: TestService;
  merchant: TestMerchant;
  receiver: TestReceiver;
  endpointId: string;
}

/** A service that has done the setup and now leaves the queue to others. */
async function setStage(): Promise<Stage> {
  const service = await startService();
  const receiver = await startHttpReceiver();
  cleanups.push(
    () => service.close(),
    () => receiver.close(),
  );
  const merchant = await verifiedMerchant(service);
  const { endpointId } = await activeEndpoint(service, merchant, receiver);
  service.context.stop();
  return { service, merchant, receiver, endpointId };
}

async function startWorkerProcess(service: TestService): Promise<ServiceProcess> {
  const worker = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
  cleanups.push(() => worker.end('SIGKILL'));
  return worker;
}

it('two processes share 2,000 deliveries: each is made once', async () => {
  const { service, merchant, receiver, endpointId } = await setStage();
  const underWay = new Set<string>();
  let overlaps = 0;
  receiver.script(
    answering((request) => {
      const id = request.headers['webhook-id'] ?? '';
      if (underWay.has(id)) overlaps += 1;
      underWay.add(id);
      setTimeout(() => underWay.delete(id), 4);
      return { kind: 'answer', delayMs: 4 };
    }),
  );
  const workers = await Promise.all([startWorkerProcess(service), startWorkerProcess(service)]);
  const events = await fillQueue(service.db, merchant.merchantId, [endpointId], 2_000, new Date());
  await until(async () => {
    const [row] = await service.db`
      select count(*)::int as count from webhook_deliveries
      where webhook_endpoint_id = ${endpointId} and status = 'delivered' and event_type <> 'webhook.verification'`;
    return row?.['count'] === 2_000;
  }, 40_000);
  const arrived = eventsAt(receiver).map((request) => request.headers['webhook-id'] ?? '');
  expect(overlaps).toBe(0);
  expect(arrived).toHaveLength(2_000);
  expect(new Set(arrived)).toEqual(new Set(events));
  const metrics = await Promise.all(
    workers.map(async (worker) => (await worker.call('GET', '/metrics')).text),
  );
  for (const text of metrics)
    expect(Number(/svc_webhook_attempts_total\{outcome="delivered"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(
      50,
    );
});

it('killed between the 2xx of the receiver and the record: everything arrives, nothing waits longer than a lease', async () => {
  const { service, merchant, receiver, endpointId } = await setStage();
  const sent: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    let victim: ServiceProcess | undefined;
    receiver.script(
      answering(() => {
        victim?.child.kill('SIGKILL');
        return { kind: 'answer' };
      }),
    );
    victim = await startWorkerProcess(service);
    sent.push(...(await fillQueue(service.db, merchant.merchantId, [endpointId], 5, new Date())));
    await until(() => victim?.child.signalCode === 'SIGKILL');
    await victim.end('SIGKILL');
  }
  const stuck = await service.db`
    select run_at from webhook_deliveries where webhook_endpoint_id = ${endpointId} and status = 'pending'`;
  expect(stuck.length).toBeGreaterThan(0);
  for (const row of stuck) expect(row['run_at'].getTime()).toBeLessThanOrEqual(Date.now() + LEASE_MS);

  // Another worker, one lease later.
  receiver.script(answering());
  const clock = { now: () => new Date(Date.now() + LEASE_MS) };
  const heir = await createContext(parseConfig(service.env), service.database.target, { clock });
  cleanups.push(() => heir.close());
  await heir.database.learnLayout();
  const heirsJob = deliveryJob();
  await until(async () => {
    await heirsJob.run(heir);
    const [row] = await service.db`
      select count(*)::int as count from webhook_deliveries
      where webhook_endpoint_id = ${endpointId} and status = 'pending'`;
    return row?.['count'] === 0;
  });
  const requests = eventsAt(receiver);
  const ids = requests.map((request) => request.headers['webhook-id'] ?? '');
  expect(new Set(ids)).toEqual(new Set(sent));
  expect(ids.length).toBeGreaterThan(sent.length);
  for (const id of sent) {
    const bodies = requests.filter((request) => request.headers['webhook-id'] === id).map(({ text }) => text);
    expect(new Set(bodies).size).toBe(1);
  }
});

it('a database that goes away during a send and comes back in time: recorded, and sent once', async () => {
  const { service, merchant, receiver, endpointId } = await setStage();
  const proxy = await createTcpProxy(service.database.url);
  const worker = await createContext(parseConfig(service.env), { url: proxy.url });
  cleanups.push(
    () => proxy.close(),
    () => worker.close(),
  );
  await worker.database.learnLayout();
  receiver.script(answering({ kind: 'answer', delayMs: 600 }));
  await fillQueue(service.db, merchant.merchantId, [endpointId], 3, new Date());
  const job = deliveryJob();
  await job.run(worker);
  await until(() => eventsAt(receiver).length === 3);
  await proxy.pause();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await proxy.resume();
  await until(async () => {
    await job.run(worker).catch(() => undefined);
    const rows = await service.db`
      select attempt from webhook_deliveries
      where webhook_endpoint_id = ${endpointId} and status = 'delivered' and event_type <> 'webhook.verification'`;
    return rows.length === 3;
  });
  expect(eventsAt(receiver)).toHaveLength(3);
});
