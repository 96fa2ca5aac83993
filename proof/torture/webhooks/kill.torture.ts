import { expect, it, onTestFinished } from 'vitest';
import { answering, eventsAt, fillQueue, until } from '../../stage/people/webhooks.ts';
import type { ServiceProcess } from '../../stage/service/process.ts';
import { startHttpReceiver } from '../../stage/surroundings/http-receiver.ts';
import { quietService, startWorker } from './webhook-stage.ts';

const ROUNDS = 20;
const LEASE_MS = 20_000;

it(`kill -9 between the receiver's 2xx and the record, ${ROUNDS} times`, async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(() => receiver.close());
  receiver.script(answering());
  const { service, merchant, endpoints } = await quietService([`${receiver.url}/hook`]);
  const endpointIds = endpoints.map((endpoint) => endpoint.endpointId);
  const sent: string[] = [];
  let killedMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    let victim: ServiceProcess | undefined;
    receiver.script(
      answering(() => {
        victim?.child.kill('SIGKILL');
        return { kind: 'answer' };
      }),
    );
    victim = await startWorker(service);
    sent.push(...(await fillQueue(service.db, merchant.merchantId, endpointIds, 10, new Date())));
    await until(() => victim?.child.signalCode === 'SIGKILL', 30_000);
    killedMs = Date.now();
    await victim.end('SIGKILL');
  }
  const [before] = await service.db`
    select count(*)::int as count from webhook_deliveries where status = 'pending'`;
  receiver.script(answering());
  await startWorker(service);
  await until(async () => {
    const [row] = await service.db`
        select count(*)::int as count from webhook_deliveries where status = 'pending'`;
    return row?.['count'] === 0;
  }, LEASE_MS + 20_000);
  const requests = eventsAt(receiver);
  const ids = requests.map((request) => request.headers['webhook-id'] ?? '');
  expect(new Set(ids)).toEqual(new Set(sent));
  const bodyOf = new Map<string, string>();
  for (const { headers, text } of requests) {
    const id = headers['webhook-id'] ?? '';
    expect(bodyOf.get(id) ?? text).toBe(text);
    bodyOf.set(id, text);
  }
  const lastMs = Math.max(...requests.map((request) => request.at)) - killedMs;
  process.stdout.write(
    `${sent.length} events, ${before?.['count']} left behind by ${ROUNDS} kills, ${ids.length - sent.length} sent twice, ` +
      `none lost; the last one ${(lastMs / 1000).toFixed(1)} s after the last kill\n`,
  );
  expect(ids.length).toBeGreaterThan(sent.length);
});
