// Slow: runs the host's commands as processes, each on a separate database.

import { isDistributedRun } from '@payassent/proof/database/layout';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { createEndpoint } from '@payassent/proof/people/webhooks';
import { payassent } from '@payassent/proof/service/command';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { expect, it } from 'vitest';

it('serves on a database that it has brought up to date, until it is stopped', async () => {
  const service = await serviceForTest({ jobs: false });
  const cli = await payassent();
  const port = await freePort();
  const env: Record<string, string> = { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  const migrated = await cli(['migrate', '--json'], { env });
  expect(migrated.lines).toEqual([{ schema: service.context.schemaLevel }]);
  expect(migrated.code).toBe(0);

  const plan = await cli(['migrate', '--plan', '--json'], { env });
  const newest = service.context.schemaLevel;
  expect(plan.lines).toEqual([{ schema: newest, newest, pending: [] }]);
  const both = await cli(['migrate', '--plan', '--partitions', '2'], { env });
  expect(both).toMatchObject({ code: 2 });

  const running = cli.start(['serve'], { env });
  const healthy = async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok;
  await expect.poll(healthy).toBe(true);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0, signal: null });
  await cli.remove();
}, 300_000);

it('stops on a signal that comes before the start is over', async () => {
  const service = await serviceForTest({ jobs: false });
  const cli = await payassent();
  const port = await freePort();
  const env: Record<string, string> = { SVC_PORT: String(port), SVC_WORKERS: '2' };
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  const running = cli.start(['serve'], { env });
  // The first process responds while the second one is still starting.
  const answers = async () =>
    (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)) !== undefined;
  await expect.poll(answers, { timeout: 240_000, interval: 5 }).toBe(true);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0, signal: null });
  await cli.remove();
}, 300_000);

it('counts what needs each master key, moves what can be moved, and refuses to serve without one that is needed', async () => {
  const service = await serviceForTest();
  const cli = await payassent();
  const merchant = await verifiedMerchant(service);
  const { endpointId } = await createEndpoint(service, merchant, { url: 'http://127.0.0.1:1/hook' });
  const [former] = service.context.keys.keyIds;
  const env: Record<string, string> = {
    SVC_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
    SVC_MASTER_KEY_PREVIOUS: service.env['SVC_MASTER_KEY'] ?? '',
    SVC_PORT: String(await freePort()),
  };
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR']) env[name] = service.env[name] ?? '';
  const status = await cli(['keys', 'status'], { env });
  expect(status.stdout).toContain(`${former} (former):\n  1 webhook secrets, which are moved by keys rotate`);
  const rotated = await cli(['keys', 'rotate', '--json'], { env });
  expect(rotated.lines[0]).toMatchObject({
    moved: [{ name: 'webhook secrets', rows: 1 }, { rows: 0 }, { rows: 0 }],
  });
  const [row] = await service.db`
    select secret_key_id from webhook_endpoints where webhook_endpoint_id = ${endpointId}`;
  expect(row?.['secret_key_id']).not.toBe(former);

  const { SVC_MASTER_KEY_PREVIOUS: _, ...without } = env;
  for (const workers of ['1', '2']) {
    const refused = await cli(['serve'], { env: { ...without, SVC_WORKERS: workers } });
    expect(refused.code, refused.stdout + refused.stderr).toBe(1);
    expect(refused.stderr).toContain(`not configured: ${former} (1 open sessions)`);
  }
  expect((await cli(['keys', 'abandon', 'all'], { env })).code).toBe(2);
  const abandoned = await cli(['keys', 'abandon', former ?? ''], { env: without });
  expect(abandoned.stdout).toContain('Ended: 1 open sessions.');
  await cli.remove();
}, 300_000);

it('gives the largest tables partitions, next to a service that runs', async () => {
  const service = await serviceForTest();
  await paymentStage(service).then((stage) => pendingRequest(service, stage));
  const cli = await payassent();
  const env: Record<string, string> = {};
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  const wrong = await cli(['migrate', '--partitions', 'many'], { env });
  expect(wrong.stderr).toContain('--partitions must be a number');
  const tooFew = await cli(['migrate', '--partitions', '1'], { env });
  expect(tooFew.stderr).toContain('between 2 and 1024');
  const removed = await cli(['migrate', '--partitions', '0'], { env });
  expect(removed.stdout).toContain('Unfinished copies were removed.');
  for (const isNew of [true, false]) {
    const done = await cli(['migrate', '--partitions', '2', '--json'], { env });
    expect(done.code, done.stderr).toBe(0);
    const byMerchant = ['payment_requests', 'payment_request_events'];
    const byTime = ['webhook_messages', 'webhook_deliveries', 'audit_events'];
    expect(done.lines).toMatchObject([
      {
        schema: service.context.schemaLevel,
        tables: [
          ...byMerchant.map((table) => ({ table, by: 'merchant', partitions: 2, isNew })),
          ...byTime.map((table) => ({ table, by: 'time', isNew })),
        ],
      },
    ]);
  }
  await cli.remove();
}, 300_000);

it.skipIf(isDistributedRun)(
  'refuses to distribute a database without Citus',
  async () => {
    const service = await serviceForTest({ jobs: false });
    const cli = await payassent();
    const env: Record<string, string> = {};
    for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY'])
      env[name] = service.env[name] ?? '';
    const wrong = await cli(['distribute', '--shards', 'many'], { env });
    expect(wrong.stderr).toContain('--shards must be a number');
    expect(wrong.code).toBe(2);
    const none = await cli(['distribute', '--shards', '0'], { env });
    expect(none.stderr).toContain('between 1 and 1024');
    const refused = await cli(['distribute'], { env });
    expect(refused.stderr).toContain('Install Citus 13.2 or newer on every machine');
    expect(refused.stdout).toBe('');
    expect(refused.code).toBe(1);
    const told = await cli(['distribute', '--json'], { env });
    expect(told.lines).toMatchObject([{ error: { code: 'refused' } }]);
    await cli.remove();
  },
  300_000,
);
