// Slow: takes the database away in every way, with its time limits.

import { paymentStage, pollRequests, postRequest, readRequest } from '@payassent/proof/people/payments';
import { enrolDevice } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { type ServiceOptions, serviceForTest, type TestService } from '@payassent/proof/service/service';
import { describe, expect, it } from 'vitest';

const WITHIN = { timeout: 90_000, interval: 100 };

/** A service whose log can be read, with what a caller of each kind needs. */
async function stagedService(options: ServiceOptions = {}) {
  const { log, lines } = createLogLines();
  const service = await serviceForTest({ ...options, overrides: () => ({ log }) });
  const events = (event: string) =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.event === event);
  return { service, events };
}

const isReady = async ({ call }: TestService) => (await call('GET', '/ready')).status === 200;

const refusal = ({ status, body, headers }: Received) => [
  status,
  body.error?.code,
  headers.get('retry-after'),
];
const UNAVAILABLE = [503, 'unavailable', '1'];

describe('a database that is away', () => {
  it.each(['stall', 'hangUp'] as const)(
    'behind a proxy (%s): no call hangs, each gets 503 with Retry-After, and the log has one line when it is lost and one when it is back',
    async (how) => {
      const { service, events } = await stagedService({ behindProxy: true });
      const stage = await paymentStage(service);
      const made = await postRequest(service, stage);
      const { request_id } = made.body.payment_request;
      expect(made.status).toBe(201);
      service.proxy?.[how]();
      const received = await Promise.all([
        postRequest(service, stage),
        readRequest(service, stage, request_id),
        pollRequests(service, stage, { wait: 1 }),
        service.call('GET', '/v1/merchants/current', { session: stage.merchant.session }),
        service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } }),
        service.call('GET', '/log/checkpoint'),
      ]);
      expect(received.map(refusal)).toEqual(received.map(() => UNAVAILABLE));
      await expect.poll(() => events('database_lost').length, WITHIN).toBe(1);
      expect(await isReady(service)).toBe(false);
      await service.proxy?.resume();
      await expect.poll(() => isReady(service), WITHIN).toBe(true);
      expect((await readRequest(service, stage, request_id)).status).toBe(200);
      expect([events('database_lost').length, events('database_back').length]).toEqual([1, 1]);
    },
    240_000,
  );

  it('without a word leaves nothing behind: a connection that owes a response is given up, and new ones work', async () => {
    const { service } = await stagedService({ behindProxy: true });
    const stage = await paymentStage(service);
    service.proxy?.strand();
    expect(refusal(await postRequest(service, stage))).toEqual(UNAVAILABLE);
    const patient = { timeout: 240_000, interval: 100 };
    await expect.poll(async () => (await postRequest(service, stage)).status, patient).toBe(201);
  }, 300_000);
});

/** Every new wallet fails with this error of PostgreSQL. */
async function failWith(service: TestService, code: string, table = 'wallets'): Promise<void> {
  await service.db.unsafe(`
    create or replace function fail_on_purpose() returns trigger language plpgsql as
      $$ begin raise exception 'on purpose' using errcode = '${code}'; end $$;
    create or replace trigger fail_on_purpose before insert on ${table}
      for each row execute function fail_on_purpose()`);
}

describe('a failure of the database', () => {
  it('that passes is 503 with Retry-After, and one line counts the calls that met it', async () => {
    const { service, events } = await stagedService({ jobs: false });
    const faults = [
      ['53100', 'storage'],
      ['53200', 'storage'],
      ['58030', 'storage'],
      ['57014', 'timeout'],
      ['55P03', 'lock'],
      ['40P01', 'lock'],
      ['40001', 'serialization'],
    ] as const;
    for (const [code, fault] of faults) {
      await failWith(service, code);
      const enrol = () => service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
      const received = await Promise.all(Array.from({ length: 20 }, enrol));
      expect(received.map(refusal)).toEqual(received.map(() => UNAVAILABLE));
      const counted = () => events('database_fault').filter(({ err }) => err.code === code);
      const sum = () => counted().reduce((all, { count }) => all + count, 0);
      await expect.poll(sum, WITHIN).toBe(20);
      expect(counted().map((line) => line.fault)).toEqual(counted().map(() => fault));
      const pauses = counted().flatMap(({ time }, n, all) => (n > 0 ? [time - all[n - 1].time] : []));
      expect(pauses.filter((ms) => ms < 900)).toEqual([]);
    }
  });

  it('a full disk makes the process not ready until something can be stored again', async () => {
    const { service, events } = await stagedService({ jobs: false });
    await failWith(service, '53100');
    await failWith(service, '53100', 'rate_budgets');
    expect(await isReady(service)).toBe(true);
    const refused = await service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    expect(refusal(refused)).toEqual(UNAVAILABLE);
    await expect.poll(() => isReady(service), WITHIN).toBe(false);
    expect((await service.call('GET', '/health')).body.checks.database).toBe('down');
    await service.db.unsafe('drop function fail_on_purpose cascade');
    await expect.poll(() => isReady(service), WITHIN).toBe(true);
    await enrolDevice(service);
    expect([events('database_lost').length, events('database_back').length]).toEqual([1, 1]);
    // What proved that there is room was rolled back; a trial commit leaves an empty row until the next retention run.
    expect(await service.db`select from rate_budgets where name = 'probe' and uses <> '[]'`).toHaveLength(0);
  });
});
