// Slow: pays many purchases under kills and lost responses.

import { expect, it } from 'vitest';
import { serviceForTest } from '../../stage/service/service.ts';
import { runPurchases } from './run.ts';

it('pays each of many purchases exactly once, whatever is lost, killed, deleted or repeated, and every wait ends with the true status', async () => {
  const service = await serviceForTest();
  const report = await runPurchases(service, { purchases: 40, seed: 'suite', agents: 2, kills: 1 });
  expect(report).toMatchObject({ paidOnce: 40, paidTwice: [], notPaid: [], untrueWaits: [], kills: 1 });
  // A run in which nothing went wrong would show nothing.
  expect(report.faults).toBeGreaterThan(0);
  expect(report.duplicatesStopped).toBeGreaterThanOrEqual(8);
}, 600_000);
