import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { payassent } from '@payassent/proof/service/command';
import { serviceForTest } from '@payassent/proof/service/service';
import { expect, it } from 'vitest';

it('prints how a running service is doing, for people and for programs', async () => {
  const token = 'metrics-token-of-this-test';
  const service = await serviceForTest({ env: { SVC_METRICS_TOKEN: token } });
  await pendingRequest(service, await paymentStage(service));
  const cli = await payassent();
  const env = { PAYASSENT_BASE_URL: service.url, SVC_METRICS_TOKEN: token };
  const told = await cli(['stats', '--json'], { env });
  expect(told.code, told.stderr).toBe(0);
  expect(told.lines[0]).toMatchObject({
    ready: true,
    failed: 0,
    database_up: true,
    stalled_jobs: [],
    queues: { pending_requests: 1, overdue_requests: 0 },
    webhooks: { due: 0, sending: 0, retry: 0, parked: 0 },
  });
  expect(told.lines[0].calls).toBeGreaterThan(5);
  const text = await cli(['stats'], { env });
  expect(text.stdout).toMatch(/^ready +yes$/m);
  expect(text.stdout).toMatch(/^pending requests +1, the oldest for \d+ s$/m);
  const refused = await cli(['stats'], { env: { PAYASSENT_BASE_URL: service.url } });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set SVC_METRICS_TOKEN')]);
  await cli.remove();
});
