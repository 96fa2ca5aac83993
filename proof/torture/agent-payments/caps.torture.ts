import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Autonomy, autonomy } from '../../stage/people/autonomy.ts';
import { activePayee, stellarAddress, type TestPayee } from '../../stage/people/payees.ts';
import { raceForCaps } from '../../stage/rounds/caps.ts';
import { startPair } from '../../stage/rounds/pair.ts';
import { changesAtOnce } from '../../stage/rounds/policy-changes.ts';
import { startService, type TestService } from '../../stage/service/service.ts';

/** `SVC_TORTURE_SCALE=0.1` makes it a tenth as long. */
const ROUNDS = Math.max(1, Math.round(100 * Number(process.env['SVC_TORTURE_SCALE'] ?? 1)));

let service: TestService;
let world: Autonomy;
let token: { payee: TestPayee; issuer: string };
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
  const issuer = stellarAddress();
  token = { issuer, payee: await activePayee(service, world.merchant, { asset: 'USDC', issuer }) };
});
afterAll(() => service.close());

describe('the cap holds', () => {
  it(`against 64 callers at once, ${ROUNDS} times, over two processes of which one is killed every fifth time`, async () => {
    const race = { rounds: ROUNDS, callers: 64, killEvery: 5 };
    const result = await raceForCaps(service, world, token, race);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    expect(result.accepted + result.refused).toBe(ROUNDS * 64);
  });
});

describe('changes at the same moment', () => {
  it('never meet each other crosswise, and usage stays what the payments say', async () => {
    const pair = await startPair(service);
    onTestFinished(() => pair.close());
    const size = { rounds: Math.max(1, ROUNDS / 4), workers: 16, steps: 40 };
    const outcomes = await changesAtOnce(service, [service.call, pair.call], world, size);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
  });
});
