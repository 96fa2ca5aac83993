import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { succeed } from '../../stage/people/merchants.ts';
import { type PaymentStage, paymentStage } from '../../stage/people/payments.ts';
import { connect, deviceOf, enrolDevice, type TestDevice } from '../../stage/people/wallets.ts';
import { workOffBacklog } from '../../stage/rounds/backlog.ts';
import { expectAlive, killUnderLoad } from '../../stage/rounds/crash.ts';
import { equalCreates, keyWithOtherBodies } from '../../stage/rounds/creates.ts';
import { createsAgainstRevocation, decisionsAtOnce } from '../../stage/rounds/decisions.ts';
import { faultsOfSerialCursor, writersAndPollers } from '../../stage/rounds/events.ts';
import { type Pair, startPair } from '../../stage/rounds/pair.ts';
import { startService, type TestService } from '../../stage/service/service.ts';

/** The rounds of the suite with their full figures. `SVC_TORTURE_SCALE=0.1` makes them a tenth as long. */
const SCALE = Number(process.env['SVC_TORTURE_SCALE'] ?? 1);
const scaled = (count: number) => Math.max(1, Math.round(count * SCALE));

let service: TestService;
let pair: Pair;
let stage: PaymentStage & { secondDevice: TestDevice };
beforeAll(async () => {
  service = await startService();
  const [first, started] = await Promise.all([paymentStage(service), startPair(service)]);
  pair = started;
  const device = deviceOf(first.device);
  const link = await succeed(service.call('POST', '/v1/wallet-devices/link-codes', { device }));
  stage = { ...first, secondDevice: await enrolDevice(service, { link_code: link.body.link_code }) };
});
afterAll(async () => {
  await pair.close();
  await service.close();
});

async function connections(count: number): Promise<PaymentStage[]> {
  const made: PaymentStage[] = [];
  while (made.length < count) made.push({ ...stage, ...(await connect(service, stage.agent, stage.device)) });
  return made;
}

describe('two processes on one database', () => {
  it('200 equal creates, 50 times over', async () => {
    await equalCreates(service, pair, stage, { rounds: scaled(50), width: 200 });
  });

  it('one key with 100 other bodies, 20 times over', async () => {
    await keyWithOtherBodies(pair, stage, { rounds: scaled(20), width: 100 });
  });

  it('signed, rejected, expiry and revocation at once, 100 times; every outcome happens', async () => {
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
});

describe('kill -9 under load', () => {
  it('10 times: nothing that was answered is lost', async () => {
    const size = { rounds: scaled(10), clients: 32, loadMs: 1500 };
    const result = await killUnderLoad(service, await connections(4), size);
    expect(result.acknowledged).toBeGreaterThan(0);
    await expectAlive(service, stage);
  });
});

describe('100,000 requests past their time at once', () => {
  it('do not hold up creates', async () => {
    const [own = stage] = await connections(1);
    const timesMs = await workOffBacklog(service, own, { overdue: scaled(100_000), creates: 200 });
    expect(timesMs[190]).toBeLessThan(1000);
  });
});
