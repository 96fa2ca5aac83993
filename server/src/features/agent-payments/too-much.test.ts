import { activePolicy, autonomy, pay } from '@payassent/proof/people/autonomy';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('an agent payment that the network cannot carry is marked, and others have no risk', async () => {
  const world = await autonomy(service);
  await activePolicy(service, world);
  const human = (amount: string) =>
    pay(service, world, amount, { initiated_by: 'human' }, { bearer: world.admin });
  const most = await human('922337203685.4775807');
  expect([most.status, most.body.data?.risk]).toEqual([201, undefined]);
  const more = await human('922337203685.4775808');
  expect([more.status, more.body.data?.risk]).toEqual([201, { exceeds_network_maximum: true }]);
});
