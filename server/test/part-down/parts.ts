import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onServer, openServer, patiently } from '@payassent/proof/database/servers';
import { childrenOf, signalQuietly } from '@payassent/proof/faults/processes';
import { postRequest } from '@payassent/proof/people/payments';
import type { Site } from './site.ts';
import { setStandbyMode } from './site.ts';

export interface Part {
  name: string;
  /** Takes it away, and returns when it is gone; what it returns gives it back. */
  takeAway(site: Site): Promise<() => Promise<void>>;
  /** Pages that are there may have room for what a call writes. */
  leavesRoom?: boolean;
  /** Only root can do it. */
  needsRoot?: boolean;
}

const MINUTE_MS = 60_000;

const door = (name: keyof Site['doors']) => async (site: Site) => {
  await site.doors[name].pause();
  return () => site.doors[name].resume();
};

async function servingWorkers({ call }: Site): Promise<number> {
  const { body } = await call('GET', '/health');
  return body.checks.workers.serving;
}

async function until(is: () => Promise<boolean>): Promise<void> {
  await patiently(async () => {
    if (!(await is())) throw new Error('not yet');
  });
}

const clock = (offsetMs: number) => async (site: Site) => {
  const isOff = async (ms: number) => {
    const { body } = await site.call('GET', '/health');
    return Math.abs(body.checks.clock_skew_ms + ms) < MINUTE_MS;
  };
  site.service.setClock(offsetMs);
  await until(() => isOff(offsetMs));
  return async () => {
    site.service.setClock(0);
    await until(() => isOff(0));
  };
};

export const PARTS: readonly Part[] = [
  { name: 'nothing', takeAway: async () => async () => {} },
  { name: 'the mail server (SMTP)', takeAway: door('smtp') },
  {
    name: 'the table of mails (locked)',
    async takeAway({ primary }) {
      const db = openServer(primary, 1);
      await db.unsafe('begin; lock table mail_jobs in access exclusive mode');
      return async () => {
        await db.unsafe('rollback');
        await db.end();
      };
    },
  },
  {
    name: 'DNS',
    async takeAway(site) {
      await site.stopDns();
      return () => site.startDns();
    },
  },
  { name: 'a witness of the log', takeAway: door('witness') },
  { name: 'the observer’s source of a chain', takeAway: door('horizon') },
  { name: 'a receiver of webhooks', takeAway: door('hooks') },
  {
    name: 'one of two workers (killed)',
    async takeAway(site) {
      const [first] = childrenOf(site.service.pid());
      signalQuietly(first, 'SIGKILL');
      return () => until(async () => (await servingWorkers(site)) === 2);
    },
  },
  {
    name: 'one of two workers (hangs)',
    async takeAway(site) {
      const { body } = await site.call('GET', '/health');
      signalQuietly(body.pid, 'SIGSTOP');
      await until(async () => (await servingWorkers(site)) === 1);
      return async () => {
        signalQuietly(body.pid, 'SIGCONT');
        await until(async () => (await servingWorkers(site)) === 2);
      };
    },
  },
  { name: 'the clock (ten minutes ahead)', takeAway: clock(10 * MINUTE_MS) },
  { name: 'the clock (ten minutes behind)', takeAway: clock(-10 * MINUTE_MS) },
  {
    name: 'an asynchronous standby',
    async takeAway(site) {
      await setStandbyMode(site, 'async');
      await site.standby.kill();
      return async () => {
        await site.standby.start();
        await setStandbyMode(site, 'sync');
      };
    },
  },
  {
    name: 'the only synchronous standby',
    async takeAway(site) {
      const { standby, primary, call, stage } = site;
      await standby.kill();
      // Each worker notices it by a commit that does not end. Until then such commits hold connections of its reads.
      const refusing = new Set<number>();
      await until(async () => {
        await postRequest(site, stage);
        const { body } = await call('GET', '/health');
        if (body.checks.writing === 'refused') refusing.add(body.pid);
        return refusing.size === 2;
      });
      return async () => {
        await standby.start();
        await onServer(primary, (db) =>
          until(
            async () => (await db`select from pg_stat_replication where sync_state = 'sync'`).length === 1,
          ),
        );
      };
    },
  },
  {
    name: 'PostgreSQL',
    async takeAway(site) {
      const { primary } = site;
      await primary.kill();
      // Each worker checks separately, so one of them can notice earlier than the other.
      await until(async () => (await servingWorkers(site)) === 0);
      return async () => {
        await primary.start();
        await until(async () => (await servingWorkers(site)) === 2);
      };
    },
  },
  {
    name: 'the disk of PostgreSQL (full)',
    needsRoot: true,
    leavesRoom: true,
    async takeAway(site) {
      const { primary, service } = site;
      const ballast = join(primary.folder, 'ballast');
      const { bavail, bsize } = statfsSync(primary.folder);
      // PostgreSQL takes some of it meanwhile: then it is full as well.
      const all = Buffer.alloc(bavail * bsize);
      try {
        writeFileSync(ballast, all);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
      // Pages that are there have room for a while.
      await until(async () => (await postRequest(site, site.stage)).status === 503);
      return async () => {
        rmSync(ballast);
        // Without space for its journal it ends; then the test starts it again.
        if (!signalQuietly(primary.pid, 0)) await primary.start();
        await service.untilHealthy(2 * MINUTE_MS);
        await until(async () => (await servingWorkers(site)) === 2);
      };
    },
  },
];
