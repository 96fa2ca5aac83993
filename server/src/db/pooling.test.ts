import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createDatabase } from '@payassent/proof/database/database';
import {
  HAS_PGBOUNCER,
  type PgBouncer,
  startPgBouncer,
  UNTIL_LET_GO,
} from '@payassent/proof/database/pgbouncer';
import { paymentStage, postRequest, readRequest } from '@payassent/proof/people/payments';
import { serviceForTest } from '@payassent/proof/service/service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProcess } from '../lib/process-info.ts';
import { type PoolerError, proveAddress } from './pooling.ts';

async function bouncerForTest(settings: Parameters<typeof startPgBouncer>[1]): Promise<PgBouncer> {
  const database = await createDatabase({ empty: true });
  const bouncer = await startPgBouncer(database.url, settings);
  onTestFinished(async () => {
    await bouncer.close();
    await database.drop();
  });
  return bouncer;
}

const CHANGING = [
  ['transaction', { pool_mode: 'transaction' }],
  ['transaction, taking turns', { pool_mode: 'transaction', server_round_robin: 1 }],
  ['transaction, one backend', { pool_mode: 'transaction', default_pool_size: 1 }],
] as const;

it('a pooler that a test has started ends with the process of the test, also when that is killed', async () => {
  const run = `const { spawn } = require('node:child_process');
    const child = spawn('sh', ['-c', process.argv[1], 'sh', 'sh', '-c', 'echo $$; exec sleep 900'],
      { stdio: ['pipe', 'inherit', 'ignore'] });
    setInterval(() => {}, 1000);`;
  const test = spawn(process.execPath, ['-e', run, UNTIL_LET_GO], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void test.kill('SIGKILL'));
  const [line] = await once(test.stdout, 'data');
  const pooler = Number(line);
  expect(readProcess(pooler)).toBeDefined();
  test.kill('SIGKILL');
  await expect.poll(() => readProcess(pooler), { timeout: 60_000 }).toBeUndefined();
});

describe('the address of the database', () => {
  it('of the server itself is known as such', async () => {
    const database = await createDatabase({ empty: true });
    onTestFinished(() => database.drop());
    expect(await proveAddress({ url: database.url }, 'DATABASE_URL', false)).toBe('direct');
  });
});

describe.runIf(HAS_PGBOUNCER)('behind PgBouncer (needs the program pgbouncer)', () => {
  it.each(CHANGING)(
    'an address that changes backends is refused with the fix (%s)',
    async (_name, settings) => {
      const { url } = await bouncerForTest(settings);
      const refused = await proveAddress({ url }, 'DATABASE_URL', false).catch((error: PoolerError) => error);
      expect(refused).toMatchObject({
        name: 'PoolerError',
        message: expect.stringMatching(/SVC_DATABASE_SESSION_URL/),
      });
    },
  );

  it('the service does not start where statements of one connection meet several backends', async () => {
    const reach = (databaseUrl: string) => startPgBouncer(databaseUrl, { pool_mode: 'transaction' });
    const started = serviceForTest({ reach });
    await expect(started).rejects.toThrow(/DATABASE_URL leads to a pooler.*pool_mode=session/s);
  });

  it('without prepared statements, with SVC_DATABASE_SESSION_URL, every response is the right one', async () => {
    const service = await serviceForTest({
      async reach(databaseUrl) {
        const bouncer = await startPgBouncer(databaseUrl, { pool_mode: 'transaction', default_pool_size: 3 });
        const url = `${bouncer.url}?prepare=false`;
        return { ...bouncer, url, env: { SVC_DATABASE_SESSION_URL: databaseUrl, SVC_DB_POOL: '6' } };
      },
    });
    await expectRightAnswers(service);
  }, 240_000);

  it('in session mode every response is the right one', async () => {
    const service = await serviceForTest({
      reach: (databaseUrl) => startPgBouncer(databaseUrl, { pool_mode: 'session' }),
    });
    await expectRightAnswers(service);
  }, 240_000);
});

/** Many different calls in parallel, each with a result that only its own statement can return. */
async function expectRightAnswers(service: Awaited<ReturnType<typeof serviceForTest>>): Promise<void> {
  const stage = await paymentStage(service);
  const right = new Set<string>();
  const turns = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const wrong: unknown[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const made = await postRequest(service, stage);
        const id = made.body.payment_request?.request_id;
        const read = await readRequest(service, stage, id);
        const own = await service.call('GET', '/v1/merchants/current', { session: stage.merchant.session });
        const isRight =
          made.status === 201 &&
          read.body.payment_request?.request_id === id &&
          own.body.merchant?.merchant_id !== undefined;
        // A busy machine may be late, never wrong.
        const isLate = [made, read, own].some(({ status }) => status === 503);
        if (!isRight && !isLate) wrong.push([made.body, read.body, own.body]);
        if (isRight) right.add(id);
      }
      return wrong;
    }),
  );
  expect(turns.flat()).toEqual([]);
  expect(right.size).toBeGreaterThan(0);
}
