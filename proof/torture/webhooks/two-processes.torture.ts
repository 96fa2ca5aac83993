import { expect, it } from 'vitest';
import { fillQueue, until } from '../../stage/people/webhooks.ts';
import { quietService, startReceiverProcess, startWorker } from './webhook-stage.ts';

const COUNT = 20_000;

it(`two processes, ${COUNT} deliveries: no attempt is made twice at the same time`, async () => {
  const receiver = await startReceiverProcess(5);
  const { service, merchant, endpoints } = await quietService(
    Array.from({ length: 4 }, (_, index) => `${receiver.url}/${index}`),
  );
  const { merchantId } = merchant;
  await Promise.all([startWorker(service), startWorker(service)]);
  for (const { endpointId } of endpoints)
    for (let part = 0; part < 5; part += 1)
      await fillQueue(service.db, merchantId, [endpointId], COUNT / 20, new Date());
  await until(async () => {
    const [row] = await service.db`
      select count(*)::int as count from webhook_deliveries where status = 'pending'`;
    return row?.['count'] === 0;
  }, 300_000);
  const { count, distinct, overlaps, repeated, firstMs, lastMs, most } = await receiver.stats();
  process.stdout.write(
    `${count} requests for ${distinct} deliveries, ${overlaps} at the same time, ${repeated} repeated, ` +
      `at most ${most} under way, ${((count / (lastMs - firstMs)) * 1000).toFixed(0)}/s\n`,
  );
  expect({ count, distinct, overlaps, repeated }).toEqual({
    count: COUNT,
    distinct: COUNT,
    overlaps: 0,
    repeated: 0,
  });
});
