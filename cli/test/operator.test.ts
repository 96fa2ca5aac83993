import { expect, it } from 'vitest';
import { freePort, serviceForTest } from '../../server/test/harness/service.ts';
import { countersign } from './harness/command.ts';

it('serves on a database that it has brought up to date, until it is stopped', async () => {
  const service = await serviceForTest({ jobs: false });
  const cli = await countersign();
  const port = await freePort();
  const env: Record<string, string> = { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  const migrated = await cli(['migrate', '--json'], { env });
  expect(migrated.lines).toEqual([{ schema: service.context.schemaLevel }]);
  expect(migrated.code).toBe(0);

  const running = cli.start(['serve'], { env });
  const healthy = async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok;
  await expect.poll(healthy).toBe(true);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0, signal: null });
  await cli.remove();
}, 60_000);

it('stops when it is told to before the start is over', async () => {
  const service = await serviceForTest({ jobs: false });
  const cli = await countersign();
  const port = await freePort();
  const env: Record<string, string> = { SVC_PORT: String(port), SVC_WORKERS: '2' };
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  const running = cli.start(['serve'], { env });
  // The first process answers while the second one is still being started.
  const answers = async () =>
    (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)) !== undefined;
  await expect.poll(answers, { timeout: 40_000, interval: 5 }).toBe(true);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0, signal: null });
  await cli.remove();
}, 90_000);
