import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readKeys } from '../stage/log/public-log.ts';
import { autonomy } from '../stage/people/autonomy.ts';
import { newDecisionKey, putKey } from '../stage/people/decision-keys.ts';
import { finishedPayment } from '../stage/people/evidence.ts';
import { succeed } from '../stage/people/merchants.ts';
import { activePayee, stellarAddress } from '../stage/people/payees.ts';
import { type PaymentStage, paymentStage } from '../stage/people/payments.ts';
import { connect, deviceOf, enrolDevice, type TestDevice } from '../stage/people/wallets.ts';
import { workOffBacklog } from '../stage/rounds/backlog.ts';
import { raceForCaps } from '../stage/rounds/caps.ts';
import { expectAlive, killUnderLoad } from '../stage/rounds/crash.ts';
import { equalCreates, keyWithOtherBodies } from '../stage/rounds/creates.ts';
import { createsAgainstRevocation, decisionsAtOnce } from '../stage/rounds/decisions.ts';
import { faultsOfSerialCursor, writersAndPollers } from '../stage/rounds/events.ts';
import { unnoticedFlips } from '../stage/rounds/flips.ts';
import { killWhileIntegrating } from '../stage/rounds/log.ts';
import { type Pair, startPair } from '../stage/rounds/pair.ts';
import { changesAtOnce } from '../stage/rounds/policy-changes.ts';
import { serviceForTest, startService, type TestService } from '../stage/service/service.ts';

/** The rounds of the suite with their full figures. `SVC_TORTURE_SCALE=0.1` makes them a tenth as long. */
const SCALE = Number(process.env['SVC_TORTURE_SCALE'] ?? 1);
const scaled = (count: number) => Math.max(1, Math.round(count * SCALE));

describe('payment requests in two processes on one database', () => {
  let service: TestService;
  let pair: Pair;
  let stage: PaymentStage & { secondDevice: TestDevice };
  beforeAll(async () => {
    service = await startService();
    const [first, started] = await Promise.all([paymentStage(service), startPair(service)]);
    pair = started;
    const device = deviceOf(first.device);
    const { link_code } = (await succeed(service.call('POST', '/v1/wallet-devices/link-codes', { device })))
      .body;
    stage = { ...first, secondDevice: await enrolDevice(service, { link_code }) };
  });
  afterAll(async () => {
    await pair.close();
    await service.close();
  });

  async function connections(count: number): Promise<PaymentStage[]> {
    const made: PaymentStage[] = [];
    while (made.length < count)
      made.push({ ...stage, ...(await connect(service, stage.agent, stage.device)) });
    return made;
  }

  it('200 equal creates, 50 times over', async () => {
    await equalCreates(service, pair, stage, { rounds: scaled(50), width: 200 });
  });

  it('one key with 100 other bodies, 20 times over', async () => {
    await keyWithOtherBodies(pair, stage, { rounds: scaled(20), width: 100 });
  });

  it('signed, rejected, expiry and revocation at the same time, 100 times; every outcome happens', async () => {
    const outcomes = await decisionsAtOnce(service, pair, stage, { rounds: scaled(100) });
    if (SCALE >= 1) expect(Object.keys(outcomes).length).toBeGreaterThanOrEqual(3);
  });

  it('60 creates against the revocation of their connection, 50 times', async () => {
    await createsAgainstRevocation(service, pair, stage, { rounds: scaled(50), width: 60 });
  });

  it('32 writers and 8 pollers over 50,000 events', async () => {
    const size = { writers: 32, pollers: 8, events: scaled(50_000) };
    await writersAndPollers(pair, await connections(8), size);
  });

  it('a cursor that is wrong on purpose is found out', async () => {
    const size = { writers: 16, events: scaled(1000) };
    expect(await faultsOfSerialCursor(service, pair, await connections(4), size)).not.toEqual([]);
  });

  it('kill -9 under load, 10 times: no acknowledged write is lost', async () => {
    const size = { rounds: scaled(10), clients: 32, loadMs: 1500 };
    const result = await killUnderLoad(service, await connections(4), size);
    expect(result.acknowledged).toBeGreaterThan(0);
    await expectAlive(service, stage);
  });

  it('100,000 requests that pass their time together do not delay creates', async () => {
    const [own = stage] = await connections(1);
    const timesMs = await workOffBacklog(service, own, { overdue: scaled(100_000), creates: 200 });
    expect(timesMs[190]).toBeLessThan(1000);
  });
});

describe('automation policies', () => {
  it('a cap holds against 64 concurrent callers, 100 times, over two processes of which one is killed every fifth time', async () => {
    const service = await serviceForTest();
    const world = await autonomy(service);
    const issuer = stellarAddress();
    const token = { issuer, payee: await activePayee(service, world.merchant, { asset: 'USDC', issuer }) };
    const race = { rounds: scaled(100), callers: 64, killEvery: 5 };
    const result = await raceForCaps(service, world, token, race);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    expect(result.accepted + result.refused).toBe(race.rounds * race.callers);
  });

  it('concurrent changes never deadlock, and usage stays the sum of the payments', async () => {
    const service = await serviceForTest();
    const pair = await startPair(service);
    onTestFinished(() => pair.close());
    const size = { rounds: scaled(25), workers: 16, steps: 40 };
    const outcomes = await changesAtOnce(service, [service.call, pair.call], await autonomy(service), size);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
  });
});

describe('evidence and the log', () => {
  it('every byte of a bundle that is another is reported', async () => {
    const service = await serviceForTest();
    const stage = await paymentStage(service);
    const key = newDecisionKey();
    await succeed(putKey(service, stage.device, key));
    const { bundle } = await finishedPayment(service, stage, key, 'confirmed');
    expect(unnoticedFlips(bundle, await readKeys(service.url), 1)).toEqual([]);
  });

  it('twenty rounds of kill -9 with two processes leave one log, without a contradiction, a gap or an entry too many', async () => {
    await killWhileIntegrating(await serviceForTest({ jobs: false }), scaled(20));
  });
});
