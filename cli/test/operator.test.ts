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
  await expect.poll(healthy, { timeout: 20_000 }).toBe(true);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0, signal: null });
  await cli.remove();
}, 60_000);
