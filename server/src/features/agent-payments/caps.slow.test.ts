// Slow: races 64 callers over two processes, one of which is killed.
import { type Autonomy, autonomy } from '@payassent/proof/people/autonomy';
import { activePayee, stellarAddress, type TestPayee } from '@payassent/proof/people/payees';
import { raceForCaps } from '@payassent/proof/rounds/caps';
import { changesAtOnce } from '@payassent/proof/rounds/policy-changes';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The short form; the same race at full size is part of the torture tests. */

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
  it('against 64 concurrent callers over two processes, one of which is killed', async () => {
    const result = await raceForCaps(service, world, token, { rounds: 3, callers: 64, killEvery: 2 });
    expect(result.kills).toBe(1);
    expect(result.accepted + result.refused).toBe(3 * 64);
    expect(result.accepted).toBeGreaterThan(0);
  });
});

describe('changes at the same moment', () => {
  it('never deadlock, and usage stays the sum of the payments', async () => {
    const size = { rounds: 2, workers: 8, steps: 12 };
    const outcomes = await changesAtOnce(service, [service.call], world, size);
    expect(outcomes.get('ok')).toBeGreaterThan(20);
  });
});
