// Slow: starts, stops and kills workers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '@payassent/proof/database/database';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort } from '@payassent/proof/service/service';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const WITHIN = { timeout: 120_000, interval: 100 };

async function environment(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const database = await createDatabase();
  cleanups.push(() => database.drop());
  return {
    DATABASE_URL: database.url,
    SVC_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    SVC_PORT: String(await freePort()),
    SVC_LOG_LEVEL: 'info',
    ...more,
  };
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess(env);
  cleanups.push(() => service.end('SIGKILL'));
  return service;
}

/** A process that is not expected to get ready; what it printed, and the code that it ended with. */
function begin(env: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url))], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = once(child, 'close');
  cleanups.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => text, code: ended.then(() => child.exitCode) };
}

const linesOf = (service: ServiceProcess, event: string) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));

const counted = (text: string) =>
  [...text.matchAll(/^svc_http_request_duration_seconds_count\{[^}]*\} (\d+)$/gm)].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  );

describe('workers', () => {
  it('that start are not disturbed by scrapes, and one that was killed leaves a line and its counts', async () => {
    const env = await environment({ SVC_WORKERS: '2' });
    const starting = start(env);
    let isUp = false;
    const scraped: number[] = [];
    const scrape = async () => {
      const answer = await fetch(`http://127.0.0.1:${env['SVC_PORT']}/metrics`, {
        headers: { connection: 'close' },
      }).catch(() => undefined);
      if (answer?.status === 200) scraped.push(counted(await answer.text()));
    };
    const scraper = (async () => {
      while (!isUp) await scrape().then(() => pause(5));
    })();
    const service = await starting;
    for (let turn = 0; turn < 40; turn += 1)
      await service.call('GET', '/v1/errors', { headers: { connection: 'close' } });
    const pid = (await service.call('GET', '/health')).body.pid as number;
    const before = counted((await service.call('GET', '/metrics')).text);
    expect(before).toBeGreaterThan(40);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => linesOf(service, 'worker_ended'), WITHIN)
      .toMatchObject([{ pid, signal: 'SIGKILL' }]);
    await expect
      .poll(async () => (await service.call('GET', '/ready').catch(() => undefined))?.status, WITHIN)
      .toBe(200);
    isUp = true;
    await scraper;
    const after = counted((await service.call('GET', '/metrics')).text);
    expect(after).toBeGreaterThanOrEqual(before);
    expect(linesOf(service, 'worker_ended')).toHaveLength(1);
    expect(await service.end('SIGTERM')).toBe(0);
  }, 300_000);

  it.each(['1', '2'])(
    'a schema that is newer than the code ends the start with 1 (%s)',
    async (workers) => {
      const env = await environment({ SVC_WORKERS: workers });
      const db = openDatabase({ url: env['DATABASE_URL'] ?? '' }, { pool: 1 });
      await db`insert into schema_migrations (number, name, checksum) values (9999, '9999_later', 'x')`;
      await db.end();
      const { code } = begin(env);
      expect(await code).toBe(1);
    },
    300_000,
  );

  it('a wrong configuration ends the start with 78', async () => {
    const { code } = begin(await environment({ SVC_WORKERS: 'many' }));
    expect(await code).toBe(78);
  }, 300_000);

  it('that never get ready are started again later and later, then given up with 1', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-preload-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    const preload = join(folder, 'end.cjs');
    await writeFile(preload, 'if (process.send) process.exit(7);');
    const env = await environment({ SVC_WORKERS: '2', NODE_OPTIONS: `--require ${preload}` });
    const { code, output } = begin(env);
    expect(await code).toBe(1);
    expect(output().match(/"event":"worker_ended"/g)).toHaveLength(7);
    expect(output()).toContain('Server processes ended 7 times before they were ready.');
  }, 300_000);
});

describe('signals', () => {
  it.each(['1', '2'])(
    'SIGTERM: not ready from that moment, served until SVC_DRAIN_S is over, then the end (%s)',
    async (workers) => {
      const env = await environment({ SVC_WORKERS: workers, SVC_DRAIN_S: '5' });
      const service = await start(env);
      const ended = service.end('SIGTERM');
      const seen = new Set<string>();
      let isEnded = false;
      void ended.then(() => {
        isEnded = true;
      });
      while (!isEnded) {
        const headers = { connection: 'close' };
        const ready = await service.call('GET', '/ready', { headers }).catch(() => undefined);
        const call = await service.call('GET', '/v1/errors', { headers }).catch(() => undefined);
        if (ready && call) seen.add(`${ready.status} ${call.status}`);
        await pause(20);
      }
      expect(await ended).toBe(0);
      // Refused by its readiness, and served all the same.
      expect(seen).toContain('503 200');
    },
    300_000,
  );

  it.each(['1', '2'])(
    'SIGHUP and SIGUSR2 change nothing (%s)',
    async (workers) => {
      const service = await start(await environment({ SVC_WORKERS: workers }));
      const { pid } = (await service.call('GET', '/health')).body;
      for (const signal of ['SIGHUP', 'SIGUSR2'] as const)
        for (const each of new Set([service.child.pid ?? 0, pid])) process.kill(each, signal);
      await pause(500);
      expect((await service.call('GET', '/ready')).status).toBe(200);
      expect(service.child.exitCode).toBeNull();
      expect(await service.end('SIGTERM')).toBe(0);
    },
    300_000,
  );

  it.each(['1', '2'])(
    'SIGTERM during the start is a clean end, its database included (%s)',
    async (workers) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'svc-data-'));
      cleanups.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
      const { DATABASE_URL: _, ...env } = await environment({ SVC_WORKERS: workers, SVC_DATA_DIR: dataDir });
      const { child, code, output } = begin(env);
      // The embedded database is being made.
      await expect.poll(() => readdir(dataDir).then((names) => names.length), WITHIN).toBeGreaterThan(0);
      child.kill('SIGTERM');
      expect(await code, output()).toBe(0);
      expect(output()).not.toMatch(/Error| {4}at /);
    },
    300_000,
  );
});
