// Slow: promotes a standby and starts the previous primary again.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HAS_PGBOUNCER, startPgBouncer } from '@payassent/proof/database/pgbouncer';
import {
  type Cluster,
  HAS_SERVER_PROGRAMS,
  startPrimary,
  startStandby,
} from '@payassent/proof/database/servers';
import { startProxy } from '@payassent/proof/faults/tcp-proxy';
import { deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { payassent } from '@payassent/proof/service/command';
import { startProcess } from '@payassent/proof/service/process';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const WITHIN = { timeout: 60_000, interval: 100 };
const SVC_MASTER_KEY = Buffer.alloc(32, 5).toString('base64');

let folder: string;
beforeAll(async () => {
  // PostgreSQL does not run as root, and may not reach the folder that the tests keep their files in.
  folder = await mkdtemp('/tmp/former-');
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function pair(name: string): Promise<[Cluster, Cluster]> {
  const primary = await startPrimary(join(folder, name));
  onTestFinished(() => primary.kill());
  const standby = await startStandby(primary, 'sync');
  onTestFinished(() => standby.kill());
  return [primary, standby];
}

async function failOver([primary, standby]: [Cluster, Cluster]): Promise<void> {
  await primary.kill();
  standby.promote();
}

describe.runIf(HAS_SERVER_PROGRAMS)('a previous primary that runs again (needs PostgreSQL of Debian)', () => {
  it('is passed over by a service that knows both, restarted or new, and refused by one that knows it alone', async () => {
    const servers = await pair('hosts');
    const [former, present] = servers;
    const at = (...ports: number[]) =>
      `postgres://postgres:trusted@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`;
    const start = (dataDir: string, url: string) =>
      freePort().then((port) =>
        startProcess({
          DATABASE_URL: url,
          SVC_MASTER_KEY,
          SVC_PORT: String(port),
          SVC_DATA_DIR: join(folder, dataDir),
        }),
      );
    type Service = Awaited<ReturnType<typeof start>>;
    const enrol = ({ call }: Service) => call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    const both = at(former.port, present.port);
    const first = await start('known', both);
    expect((await enrol(first)).status).toBe(201);
    await failOver(servers);
    await expect.poll(async () => (await enrol(first)).status, WITHIN).toBe(201);
    const device = deviceOf(await enrolDevice(first));
    const isThere = async ({ call }: Service) => (await call('GET', '/v1/wallet-devices', { device })).status;
    expect(await isThere(first)).toBe(200);
    await former.start({});
    await first.end('SIGTERM');
    for (const dataDir of ['known', 'new']) {
      const again = await start(dataDir, both);
      expect([dataDir, await isThere(again), (await enrol(again)).status]).toEqual([dataDir, 200, 201]);
      await again.end('SIGTERM');
    }
    const cli = await payassent();
    onTestFinished(() => cli.remove());
    const env = { DATABASE_URL: at(former.port), SVC_MASTER_KEY, SVC_DATA_DIR: join(folder, 'known') };
    const { code, stderr } = await cli.here(['keys', 'status'], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('is a previous primary')]);
    expect(stderr).toContain(`remove ${join(folder, 'known', 'database.json')}`);
  }, 300_000);

  it.skipIf(!HAS_PGBOUNCER)(
    'is not served behind a pooler whose connections stay open (needs the program pgbouncer)',
    async () => {
      const servers = await pair('pooler');
      const [former, present] = servers;
      let leader = former;
      const proxy = await startProxy(() => ({ port: leader.port }));
      const bouncer = await startPgBouncer(`postgres://postgres:trusted@127.0.0.1:${proxy.port}/postgres`, {
        pool_mode: 'transaction',
      });
      const service = await serviceForTest({
        jobs: false,
        reach: async () => ({
          url: `${bouncer.url}?prepare=false`,
          env: {
            SVC_DATABASE_SESSION_URL: `postgres://postgres:trusted@127.0.0.1:${proxy.port}/postgres`,
            SVC_LOG_LEVEL: 'silent',
          },
          close: async () => {
            await bouncer.close();
            await proxy.close();
          },
        }),
      });
      const ready = async () => (await service.call('GET', '/ready')).status;
      const lead = (server: Cluster) => {
        leader = server;
        proxy.reset();
      };
      expect(await ready()).toBe(200);
      await failOver(servers);
      lead(present);
      await expect
        .poll(
          async () => (await service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } })).status,
          WITHIN,
        )
        .toBe(201);
      await expect.poll(ready, WITHIN).toBe(200);
      await former.start({});
      lead(former);
      await expect.poll(ready, WITHIN).toBe(503);
      lead(present);
      await expect.poll(ready, WITHIN).toBe(200);
    },
    300_000,
  );
});
