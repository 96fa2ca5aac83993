// Slow: kills connections to PostgreSQL, to a pooler before it and within TLS, in every way, under calls.
import { chownSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HAS_PGBOUNCER, startPgBouncer } from '@payassent/proof/database/pgbouncer';
import {
  type Cluster,
  HAS_SERVER_PROGRAMS,
  onServer,
  patiently,
  placeOf,
  serverUser,
  startPrimary,
  urlOf,
} from '@payassent/proof/database/servers';
import { childrenOf, signalQuietly } from '@payassent/proof/faults/processes';
import { type StreamProxy, startProxy } from '@payassent/proof/faults/tcp-proxy';
import { paymentStage, postRequest, readRequest } from '@payassent/proof/people/payments';
import type { Received } from '@payassent/proof/service/client';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { selfSigned } from '@payassent/proof/surroundings/certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
let primary: Cluster;
beforeAll(async () => {
  if (!HAS_SERVER_PROGRAMS) return;
  // PostgreSQL does not run as root, and may not reach the folder that the tests keep their files in.
  folder = await mkdtemp('/tmp/killed-');
  await chmod(folder, 0o755);
  primary = await startPrimary(join(folder, 'server'));
  const { key, cert } = await selfSigned(['localhost']);
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    const file = join(primary.folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    const user = serverUser();
    if (user) chownSync(file, user.uid, user.gid);
  }
  await primary.kill();
  await primary.start({
    ssl: 'on',
    ssl_key_file: join(primary.folder, 'server.key'),
    ssl_cert_file: join(primary.folder, 'server.crt'),
  });
});
afterAll(async () => {
  if (!HAS_SERVER_PROGRAMS) return;
  await primary.kill();
  await rm(folder, { recursive: true, force: true });
});

/** The service's connections, without the one that reads this view. */
const BACKENDS = `pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`;
const end = (mode: 'fast' | 'immediate') => async () => {
  const ended = once(primary.pid);
  signalQuietly(primary.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  await ended;
  await primary.start();
};
const once = async (pid: number) => {
  await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
};
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const KILLS: Record<string, (proxy: StreamProxy) => Promise<unknown>> = {
  'every session is ended': () =>
    onServer(primary, (db) => db.unsafe(`select pg_terminate_backend(pid) from ${BACKENDS}`)),
  'one backend is killed, and the server recovers': async () => {
    const [row] = await onServer(primary, (db) =>
      db.unsafe<{ pid: number }[]>(`select pid from ${BACKENDS}`),
    );
    if (row) signalQuietly(row.pid, 'SIGKILL');
  },
  'the server is stopped (fast)': end('fast'),
  'the server is stopped (immediate)': end('immediate'),
  'the server and its machine are gone': async () => {
    for (const pid of childrenOf(primary.pid)) signalQuietly(pid, 'SIGKILL');
    await primary.kill();
    await primary.start();
  },
  'the connections are reset': async (proxy) => proxy.reset(),
  'the connections end politely': async (proxy) => {
    proxy.hangUp();
    await proxy.resume();
  },
  'each connection is cut within a message': async (proxy) => {
    proxy.cut({ chance: 1, withinBytes: 4_000 });
    await expect.poll(() => proxy.cutCount(), { timeout: 30_000 }).toBeGreaterThan(10);
    proxy.cut(undefined);
  },
};

const WAYS = {
  direct: { query: '', env: {} },
  'within TLS': { query: '?sslmode=require', env: {} },
  'behind PgBouncer': { query: '?prepare=false', env: {} },
} as const;

/** A separate database on that server, reached through a proxy that can disturb the connection. */
async function serviceOn(way: keyof typeof WAYS): Promise<{ service: TestService; proxy: StreamProxy }> {
  const name = `killed_${Object.keys(WAYS).indexOf(way)}`;
  await onServer(primary, (db) => db.unsafe(`create database ${name}`));
  const proxy = await startProxy(() => ({ port: primary.port }));
  const at = (port: number) => urlOf({ ...placeOf(primary), port, database: name });
  const bouncer =
    way === 'behind PgBouncer'
      ? await startPgBouncer(at(proxy.port), { pool_mode: 'transaction' })
      : undefined;
  const service = await serviceForTest({
    jobs: true,
    reach: async () => ({
      url: `${bouncer?.url ?? at(proxy.port)}${WAYS[way].query}`,
      env: { SVC_LOG_LEVEL: 'silent', ...(bouncer ? { SVC_DATABASE_SESSION_URL: at(primary.port) } : {}) },
      close: async () => {
        await bouncer?.close();
        await proxy.close();
      },
    }),
  });
  return { service, proxy };
}

describe.runIf(HAS_SERVER_PROGRAMS).each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  '%s (needs PostgreSQL of Debian)',
  (way) => {
    it.skipIf(way === 'behind PgBouncer' && !HAS_PGBOUNCER)(
      'a call that loses its connection is 503 with Retry-After, never 500 (needs the program pgbouncer where it stands in between)',
      async () => {
        const { service, proxy } = await serviceOn(way);
        const stage = await paymentStage(service);
        const { request_id } = (await postRequest(service, stage)).body.payment_request;
        const calls: (() => Promise<Received>)[] = [
          () => postRequest(service, stage),
          () => readRequest(service, stage, request_id),
          () => service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } }),
          () => service.call('GET', '/v1/merchants/current', { session: stage.merchant.session }),
          () => service.call('GET', '/log/checkpoint'),
        ];
        for (const [kill, run] of Object.entries(KILLS)) {
          const seen = new Map<string, number>();
          let isOver = false;
          const load = Promise.all(
            [...calls, ...calls].map(async (call) => {
              while (!isOver) {
                const { status, body, headers } = await call();
                const retry = status === 503 ? ` ${headers.get('retry-after')}` : '';
                const what = `${status} ${body?.error?.code ?? ''}${retry}`.trim();
                seen.set(what, (seen.get(what) ?? 0) + 1);
              }
            }),
          );
          await expect
            .poll(() => (seen.get('200') ?? 0) + (seen.get('201') ?? 0), { timeout: 60_000 })
            .toBeGreaterThan(50);
          await run(proxy);
          const isReady = async () => (await service.call('GET', '/ready')).status;
          await expect.poll(isReady, { timeout: 60_000 }).toBe(200);
          await patiently(async () => {
            for (const call of calls) if ((await call()).status >= 300) throw new Error('not yet');
          });
          isOver = true;
          await load;
          expect([
            kill,
            [...seen.keys()].filter((what) => !/^20[01]$|^503 unavailable \d+$/.test(what)),
          ]).toEqual([kill, []]);
        }
      },
      600_000,
    );
  },
);
