import {
  type Autonomy,
  activePolicy,
  autonomy,
  pay,
  report,
  usageOf,
} from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { newHash, passSecond, startHorizons } from '@payassent/proof/people/settlements';
import { until } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
let policyId: string;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
beforeAll(async () => {
  const started = await startHorizons(1);
  ({ horizons, close } = started);
  service = await startService({ env: { ...started.options.env, SVC_POLICY_SPEND: 'observed' } });
  world = await autonomy(service);
  policyId = (await activePolicy(service, world, { cumulative_limit: '25' })).id;
});
afterAll(async () => {
  await service.close();
  await close();
});

/** An agent's payment under the policy that its wallet reports as failed after it has sent it. */
async function calledFailed(): Promise<{ id: string; to: string; txHash: string }> {
  const txHash = newHash();
  const { id, to } = (await succeed(pay(service, world, '5'))).body.data;
  await succeed(report(service, world, id, 'signed'));
  await succeed(report(service, world, id, 'broadcasted', { tx_hash: txHash }));
  await succeed(report(service, world, id, 'failed'));
  return { id, to, txHash };
}

const settled = (id: string, state: string) =>
  until(async () => {
    passSecond(service);
    const [row] = await service.db`select status from settlements where record_id = ${id}`;
    return row?.['status'] === state;
  }, 90_000);

const usage = () => usageOf(service, world, policyId);

it('a wallet that calls a paid payment failed does not get its cap back', async () => {
  const before = await usage();
  const { id, to, txHash } = await calledFailed();
  const held = await usage();
  expect(held).not.toBe(before);
  await settled(id, 'unseen');
  expect(await usage()).toBe(held);
  for (const horizon of horizons) horizon.has(txHash, { to, amount: '5' });
  await settled(id, 'final');
  const [policy] =
    await service.db`select reserved::text, spent::text from automation_policies where policy_id = ${policyId}`;
  expect([Number(policy?.['reserved']), Number(policy?.['spent'])]).toEqual([0, 5]);
});

it('a cap is given back once the payment has failed on the chain, and once only', async () => {
  const before = await usage();
  const { id, to, txHash } = await calledFailed();
  for (const horizon of horizons) horizon.has(txHash, { to, amount: '5', isFailed: true });
  await settled(id, 'failed_on_chain');
  expect(await usage()).toBe(before);
  for (const horizon of horizons) horizon.lacks(txHash);
  await settled(id, 'unseen');
  for (const horizon of horizons) horizon.has(txHash, { to, amount: '5', isFailed: true });
  await settled(id, 'failed_on_chain');
  expect(await usage()).toBe(before);
});
