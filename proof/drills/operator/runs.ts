import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HAS_PGBOUNCER, startPgBouncer } from '../../stage/database/pgbouncer.ts';
import { onServer, startStandby } from '../../stage/database/servers.ts';
import { childrenOf, signalQuietly } from '../../stage/faults/processes.ts';
import type { ServiceProcess } from '../../stage/service/killable.ts';
import { SECOND } from '../crowd.ts';
import { backupUnderLoad, upgradeUnderLoad } from './data-runs.ts';
import { knockWhile, type Outcome, type Run, underLoad, withService } from './run.ts';
import type { Site } from './site.ts';

/** A service under load, and what happens to it or its database meanwhile. */
const disturbed = (work: (site: Site, service: ServiceProcess) => Promise<void>) => (site: Site) =>
  withService(site, {}, (service) =>
    underLoad(site, async () => {
      await work(site, service);
      return undefined;
    }),
  );

const restarted = (signal: 'kill' | 'stop', times: number) =>
  disturbed(async (_site, service) => {
    for (let turn = 0; turn < times; turn += 1) {
      await service[signal]();
      await service.start();
      await service.untilHealthy(60 * SECOND);
      await pause(2 * SECOND);
    }
  });

const databaseKilled = disturbed(async ({ cluster }) => {
  for (let turn = 0; turn < 2; turn += 1) {
    await cluster.kill();
    await pause(2 * SECOND);
    await cluster.start();
    await pause(4 * SECOND);
  }
});

const databaseHung = disturbed(async ({ cluster }, service) => {
  const all = [cluster.pid, ...childrenOf(cluster.pid)];
  for (const pid of all) signalQuietly(pid, 'SIGSTOP');
  await pause(15 * SECOND);
  for (const pid of all) signalQuietly(pid, 'SIGCONT');
  await service.untilHealthy(60 * SECOND);
});

const tablesLocked = disturbed(async (site) => {
  const db = site.db();
  await db.unsafe('begin; lock table payment_requests in access exclusive mode');
  await pause(14 * SECOND);
  await db.unsafe('rollback');
  await db.end();
});

const proxyDrops = disturbed(async ({ proxy }, service) => {
  for (const fault of ['hangUp', 'stall', 'reset', 'strand'] as const) {
    proxy[fault]();
    await pause((fault === 'stall' ? 12 : 4) * SECOND);
    await proxy.resume();
    await service.untilHealthy(60 * SECOND);
    await pause(SECOND);
  }
});

/** Refused, or right: never a response that belongs to another party. */
async function throughPgBouncer(site: Site): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  const transaction = await startPgBouncer(site.socketUrl, {
    pool_mode: 'transaction',
    default_pool_size: 4,
    server_round_robin: 1,
  });
  const session = await startPgBouncer(site.socketUrl, { pool_mode: 'session' });
  const unsafe = site.make({ DATABASE_URL: transaction.url });
  await unsafe.start();
  const isRefused = await unsafe.untilHealthy(60 * SECOND).then(
    () => false,
    () => !unsafe.isRunning(),
  );
  await unsafe.stop();
  const safe = new URL(transaction.url);
  safe.searchParams.set('prepare', 'false');
  const ways = [
    { DATABASE_URL: safe.href, SVC_DATABASE_SESSION_URL: site.proxy.url },
    { DATABASE_URL: session.url },
  ];
  for (const env of ways)
    outcomes.push(
      await withService(site, env, () => underLoad(site, async () => void (await pause(6 * SECOND)))),
    );
  await transaction.close();
  await session.close();
  return {
    told: outcomes.flatMap(({ told }) => told),
    faults: isRefused ? [] : ['transaction mode with prepared statements was not refused'],
    note: 'refused at the start without the two settings; right with them, and in session mode',
  };
}

export const SMALL_MB = 260;

/** PostgreSQL on a file system that another party fills. */
async function diskFull(site: Site): Promise<Outcome> {
  const ballast = join(site.cluster.folder, 'ballast');
  return withService(site, {}, (service) =>
    underLoad(site, async (load) => {
      const { bavail, bsize } = statfsSync(site.cluster.folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 256 * 1024)));
      const before = load.told.unavailable;
      await pause(12 * SECOND);
      const met = load.told.unavailable - before;
      rmSync(ballast);
      await pause(3 * SECOND);
      // Without space for its journal it ends; then someone starts it again.
      if (!signalQuietly(site.cluster.pid, 0)) await site.cluster.start();
      await service.untilHealthy(90 * SECOND);
      return met > 0 ? [] : ['the disk was never full'];
    }),
  );
}

/** One of them every second, whether it serves or still starts. */
async function workersKilled(site: Site): Promise<Outcome> {
  let kills = 0;
  const outcome = await withService(site, { SVC_WORKERS: '4', SVC_DB_POOL: '4' }, (service) =>
    underLoad(
      site,
      async () => {
        for (let turn = 0; turn < 60; turn += 1) {
          const workers = childrenOf(service.pid());
          if (signalQuietly(workers[turn % workers.length], 'SIGKILL')) kills += 1;
          await pause(SECOND);
        }
        await service.untilHealthy(60 * SECOND);
        return kills > 50 ? [] : [`only ${kills} workers were killed`];
      },
      // The SDK as it comes: three repetitions.
      { maxRetries: 3 },
    ),
  );
  // With none left a call waits for the next worker, as long as the SDK does.
  const waited = outcome.told.flatMap(({ late }) => late.splice(0)).length;
  return { ...outcome, note: `${kills} kills; ${waited} attempts waited longer than 15 s for a worker` };
}

/** A synchronous standby takes over from a primary that is killed. */
async function standbyTakesOver(site: Site): Promise<Outcome> {
  const { cluster } = site;
  const standby = await startStandby(cluster, 'sync');
  const hosts = `127.0.0.1:${cluster.port},127.0.0.1:${standby.port}`;
  const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  const outcome = await withService(site, { DATABASE_URL: url }, (service) =>
    underLoad(site, async () => {
      await cluster.kill();
      standby.promote();
      await onServer(standby, (db) => db`select 1`);
      await service.untilHealthy(60 * SECOND);
      return undefined;
    }),
  ).finally(() => site.moveTo(standby));
  return outcome;
}

const STARTS = 20;

/** The first 200 of `/ready` is a promise for every worker. */
async function startsUnderLoad(site: Site): Promise<Outcome> {
  const faults: string[] = [];
  let calls = 0;
  for (let turn = 0; turn < STARTS; turn += 1) {
    const service = site.make({ SVC_WORKERS: '4', SVC_DB_POOL: '4' });
    const knocked = await knockWhile(`${site.url}/v1/errors`, async (isReady) => {
      await service.start();
      const endMs = Date.now() + 90 * SECOND;
      for (let status = 0; status !== 200; ) {
        if (Date.now() > endMs) throw new Error(`start ${turn}: not ready`);
        const answer = await fetch(`${site.url}/ready`).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        status = answer?.status ?? 0;
        if (status !== 200) await pause(20);
      }
      isReady();
      await pause(SECOND);
    });
    calls += knocked.answered;
    faults.push(...knocked.faults.map((fault) => `start ${turn}: ${fault}`));
    await service.kill();
  }
  return { told: [], faults, note: `${STARTS} starts, ${calls} calls after the first 200 of /ready` };
}

const isRoot = () => process.getuid?.() === 0;

export const RUNS: readonly Run[] = [
  { name: 'kill-service', what: '`kill -9` of the service, three times', run: restarted('kill', 3) },
  { name: 'restart', what: 'SIGTERM and start, three times', run: restarted('stop', 3) },
  { name: 'kill-database', what: '`kill -9` of PostgreSQL, twice', run: databaseKilled },
  { name: 'hung-database', what: 'PostgreSQL stopped with SIGSTOP for 15 s', run: databaseHung },
  { name: 'locked-tables', what: 'a session that holds a table for 14 s', run: tablesLocked },
  {
    name: 'dropping-proxy',
    what: 'a proxy that hangs up, falls silent, resets and strands',
    run: proxyDrops,
  },
  {
    name: 'pgbouncer',
    what: 'PgBouncer in transaction and session mode',
    missing: () => (HAS_PGBOUNCER ? undefined : 'pgbouncer is not installed'),
    run: throughPgBouncer,
  },
  {
    name: 'kill-workers',
    what: '`kill -9` of one worker of 4 every second for a minute',
    run: workersKilled,
  },
  {
    name: 'backup',
    what: 'a backup during 500 creates a second, restored into another database',
    run: backupUnderLoad,
  },
  {
    name: 'upgrade',
    what: 'a database of schema 8 met by this release, with calls from the start on',
    run: upgradeUnderLoad,
  },
  { name: 'starts', what: '20 starts with 4 workers under load', run: startsUnderLoad },
  {
    name: 'disk-full',
    what: 'the disk of PostgreSQL full for 12 s',
    missing: () => (isRoot() ? undefined : 'a small file system can only be mounted by root'),
    run: diskFull,
    alone: true,
  },
  {
    name: 'standby',
    what: 'the primary killed, the synchronous standby promoted',
    run: standbyTakesOver,
    alone: true,
  },
];
