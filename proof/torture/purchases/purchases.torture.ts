import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { serviceForTest } from '../../stage/service/service.ts';
import { runPurchases } from './run.ts';

/** `SVC_TORTURE_SCALE=0.1` makes it a tenth as long. */
const PURCHASES = Math.max(100, Math.round(10_000 * Number(process.env['SVC_TORTURE_SCALE'] ?? 1)));

it(`pays each of ${PURCHASES} purchases exactly once, whatever is lost, killed, deleted or repeated, and every wait ends with the true status`, async () => {
  const seed = process.env['SVC_TORTURE_SEED'] ?? randomBytes(4).toString('hex');
  const service = await serviceForTest();
  const plan = { purchases: PURCHASES, seed, agents: 8, kills: Math.ceil(PURCHASES / 500) };
  const report = await runPurchases(service, plan);
  const rate = ((100 * report.falseAlarms) / PURCHASES).toFixed(2);
  process.stdout.write(`${JSON.stringify({ seed, ...report })}\nfalse alarms of the guard: ${rate} %\n`);
  expect(report).toMatchObject({ paidOnce: PURCHASES, paidTwice: [], notPaid: [], untrueWaits: [] });
}, 3_600_000);
