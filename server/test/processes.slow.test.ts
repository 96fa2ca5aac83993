// Slow: starts, stops and kills processes and workers.
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createDatabase } from '@payassent/proof/database/database';
import { createTcpProxy } from '@payassent/proof/faults/tcp-proxy';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort } from '@payassent/proof/service/service';
import { fetchErrorCatalogue } from '@payassent/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../src/db/open.ts';
import { readProcess } from '../src/lib/process-info.ts';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function environment(options: { empty?: boolean } = {}): Promise<Record<string, string>> {
  const database = await createDatabase(options);
  cleanups.push(() => database.drop());
  return {
    DATABASE_URL: database.url,
    SVC_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    SVC_PORT: String(await freePort()),
    SVC_LOG_LEVEL: 'error',
  };
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess(env);
  cleanups.push(() => service.end('SIGKILL'));
  return service;
}

/** The responses of `/ready` from now on, whenever the call reaches a worker that is alive. */
function readinessUntil({ url }: ServiceProcess): () => Promise<number[]> {
  const said = new Set<number>();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const response = await fetch(`${url}/ready`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      );
      if (response) said.add(response.status);
      await response?.text().catch(() => undefined);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return [...said];
  };
}

describe('several processes', () => {
  it('six that start together migrate an empty database without an error', async () => {
    const env = await environment({ empty: true });
    const ports = await Promise.all(Array.from({ length: 6 }, freePort));
    const services = await Promise.all(ports.map((port) => start({ ...env, SVC_PORT: String(port) })));
    const answers = await Promise.all(services.map((service) => service.call('GET', '/health')));
    expect(answers.map((answer) => answer.body.checks.schema)).toEqual(
      answers.map(() => answers[0]?.body.checks.schema),
    );
    for (const service of services) expect(service.output()).not.toMatch(/cannot be used/);
  });

  it('SVC_WORKERS serves one port from several processes, and a killed one is replaced', async () => {
    const service = await start({ ...(await environment()), SVC_WORKERS: '2' });
    const workers = async () => {
      const found = new Set<number>();
      for (let turn = 0; turn < 40 && found.size < 2; turn += 1) {
        const answered = await service.call('GET', '/health', { headers: { connection: 'close' } });
        found.add(answered.body.pid);
      }
      return found;
    };
    const twoWorkersBut = (gone?: number) =>
      vi.waitFor(
        async () => {
          const found = await workers();
          expect(found.size).toBe(2);
          expect(found.has(gone ?? 0)).toBe(false);
          return found;
        },
        { timeout: 60_000, interval: 250 },
      );
    const before = await twoWorkersBut();
    const scraped = await service.call('GET', '/metrics');
    const counted = [
      ...scraped.text.matchAll(
        /svc_http_request_duration_seconds_count\{[^}]*route="\/health"[^}]*\} (\d+)/g,
      ),
    ];
    expect(
      counted.reduce((sum, match) => sum + Number(match[1]), 0),
      'a scrape speaks for all workers',
    ).toBeGreaterThanOrEqual(2);
    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    const ready = readinessUntil(service);
    const after = await twoWorkersBut(victim);
    expect(await ready(), 'the other one serves meanwhile').toEqual([200]);
    await expectNoneLost(service, [...after][0] ?? 0);
    expect(await service.end('SIGTERM')).toBe(0);
    for (const pid of after) expect(() => process.kill(pid, 0)).toThrow();
  }, 200_000);

  it('a worker whose event loop does not turn is missing in /health within 15 s, and calls are still served', async () => {
    const service = await start({ ...(await environment()), SVC_WORKERS: '2' });
    const look = async (path: string) => {
      const response = await fetch(service.url + path, { headers: { connection: 'close' } });
      return { status: response.status, body: await response.json() };
    };
    const servingIn = async () => (await look('/health')).body.checks.workers.serving;
    await vi.waitFor(async () => expect(await servingIn()).toBe(2), { timeout: 60_000 });
    const stopped = (await look('/health')).body.pid;
    const stoppedAtMs = performance.now();
    process.kill(stopped, 'SIGSTOP');
    try {
      await vi.waitFor(async () => expect(await servingIn()).toBe(1), { timeout: 60_000, interval: 100 });
      expect(performance.now() - stoppedAtMs).toBeLessThan(15_000);
      expect(await look('/health')).toMatchObject({ status: 200, body: { status: 'degraded' } });
      expect((await look('/ready')).status).toBe(200);
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
    await vi.waitFor(async () => expect(await servingIn()).toBe(2), { timeout: 60_000 });
  }, 200_000);

  it('with several workers the first good /health comes when every one of them serves', async () => {
    const env: Record<string, string> = { ...(await environment()), SVC_WORKERS: '4' };
    const starting = start(env);
    const ask = async (path: string) => {
      const url = `http://127.0.0.1:${env['SVC_PORT']}${path}`;
      const answer = await fetch(url, { headers: { connection: 'close' } });
      await answer.text();
      return answer.status;
    };
    const early = new Set<number>();
    for (;;) {
      const status = await ask('/health').catch(() => undefined);
      if (status === 200) break;
      if (status) early.add(status);
    }
    expect([...early].filter((status) => status !== 503)).toEqual([]);
    const statuses = new Set<number>();
    for (let turn = 0; turn < 40; turn += 1)
      for (const path of ['/v1/errors', '/health', '/ready']) statuses.add(await ask(path));
    expect([...statuses]).toEqual([200]);
    const service = await starting;
    const { body } = await service.call('GET', '/health');
    expect(body.checks.workers).toEqual({ serving: 4, expected: 4 });
  });

  it('workers that are all killed together cost the SDK no call, and those killed before they are ready are replaced', async () => {
    const service = await start({ ...(await environment()), SVC_WORKERS: '2' });
    let isOver = false;
    let answered = 0;
    const live = async () => {
      for (; !isOver; answered += 1) await fetchErrorCatalogue({ baseUrl: service.url });
    };
    const living = Promise.all([live(), live()]);
    living.catch(() => {});
    const twentyMore = (before: number) =>
      vi.waitFor(() => expect(answered).toBeGreaterThan(before + 20), { timeout: 120_000 });
    await twentyMore(0);
    await killWorkers(service);
    // On a separate connection, and not retried: without a port it would be refused.
    const between = await get(`${service.url}/v1/errors`, new Agent());
    expect(between.status).toBe(200);
    await twentyMore(answered);
    isOver = true;
    await living;
    // Most of these have never served a connection, and more of them end so than may fail.
    for (let turn = 0; turn < 5; turn += 1) await killWorkers(service);
    expect((await get(`${service.url}/v1/errors`, new Agent())).status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
  }, 300_000);

  it('SIGTERM under load loses no response', async () => {
    const service = await start(await environment());
    const counts = { answered: 0, askedToClose: 0 };
    // Each client keeps one connection and closes it when a response requests that; being cut off instead is a lost
    // response.
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const answer = await get(`${service.url}/v1/errors`, agent);
        if (answer.status === 200) counts.answered += 1;
        if (answer.connection !== 'close') continue;
        counts.askedToClose += 1;
        agent.destroy();
        return;
      }
    };
    const clients = Array.from({ length: 8 }, client);
    while (counts.answered < 50) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await service.end('SIGTERM')).toBe(0);
    await Promise.all(clients);
    expect(counts.askedToClose).toBe(8);
    expect(counts.answered).toBeGreaterThanOrEqual(counts.askedToClose);
  });
});

/** Ends both workers, whether they accept connections or not, and returns when they are gone. */
async function killWorkers({ child }: ServiceProcess): Promise<void> {
  const workers = await vi.waitFor(
    () => {
      const found = childrenOf(child.pid ?? 0);
      expect(found).toHaveLength(2);
      return found;
    },
    { timeout: 60_000 },
  );
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(workers.filter((pid) => readProcess(pid))).toEqual([]), { timeout: 60_000 });
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => readProcess(pid)?.parentPid === parent);

/** Connections that arrive while a worker is stopped, and is then killed, are served by the others. */
async function expectNoneLost(service: ServiceProcess, victim: number): Promise<void> {
  process.kill(victim, 'SIGSTOP');
  const calls = Array.from({ length: 8 }, () =>
    fetch(`${service.url}/health`, { headers: { connection: 'close' } }).then(
      (answer) => String(answer.status),
      () => 'ended',
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  process.kill(victim, 'SIGKILL');
  const outcomes = await Promise.all(calls);
  // Until the worker is replaced, /health reports that one is missing.
  expect(outcomes.filter((outcome) => outcome !== '200' && outcome !== '503')).toEqual([]);
}

function get(
  url: string,
  agent: Agent,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode, connection: response.headers.connection }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** The first response of a service that is still starting. */
async function untilListening(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a database that is not there', () => {
  it('down at the start: 503 with a clear message, and automatic recovery', async () => {
    const env = await environment();
    const proxy = await createTcpProxy(env['DATABASE_URL'] ?? '');
    cleanups.push(() => proxy.close());
    await proxy.pause();
    const starting = start({ ...env, DATABASE_URL: proxy.url });
    const url = `http://127.0.0.1:${env['SVC_PORT']}`;
    const health = await untilListening(`${url}/health`);
    const call = await fetch(`${url}/v1/audit-events`);
    expect([health.status, call.status]).toEqual([503, 503]);
    expect(await call.json()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(call.headers.get('retry-after')).toBe('1');
    await proxy.resume();
    const service = await starting;
    expect(service.output()).toMatch(/DATABASE_URL/);

    await proxy.pause();
    await vi.waitFor(
      async () => {
        for (const path of ['/health', '/ready']) {
          const gone = await service.call('GET', path);
          expect([gone.status, gone.body.checks.database]).toEqual([503, 'down']);
        }
      },
      { timeout: 10_000, interval: 200 },
    );
    await proxy.resume();
    const deadline = Date.now() + 10_000;
    let back = await service.call('GET', '/health');
    while (back.status !== 200 && Date.now() < deadline) back = await service.call('GET', '/health');
    expect(back.status).toBe(200);
  });

  it('comes and goes eight times without ending the service', async () => {
    const env = await environment();
    const proxy = await createTcpProxy(env['DATABASE_URL'] ?? '');
    cleanups.push(() => proxy.close());
    const service = await start({ ...env, DATABASE_URL: proxy.url });
    for (let turn = 0; turn < 8; turn += 1) {
      await proxy.pause();
      await new Promise((resolve) => setTimeout(resolve, 200));
      await proxy.resume();
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(service.child.exitCode, service.output()).toBeNull();
    let health = await service.call('GET', '/health');
    for (const deadline = Date.now() + 10_000; health.status !== 200 && Date.now() < deadline; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      health = await service.call('GET', '/health');
    }
    expect([service.child.exitCode, health.status]).toEqual([null, 200]);
  });
});

describe('a database that may lose acknowledged writes', () => {
  it('is refused with the fix, and accepted only by name; health shows it', async () => {
    const database = await createDatabase();
    cleanups.push(() => database.drop());
    const db = openDatabase(database.target, { pool: 1 });
    await db.unsafe(`alter database ${database.target.database} set synchronous_commit = off`);
    await db.end();
    const env = { ...(await environment()), DATABASE_URL: database.url };
    await expect(start(env)).rejects.toThrow(/synchronous_commit=off.*SVC_ALLOW_UNSAFE_DURABILITY=on/s);
    const service = await start({ ...env, SVC_ALLOW_UNSAFE_DURABILITY: 'on' });
    const { body } = await service.call('GET', '/health');
    expect(body.durability).toMatchObject({ level: 'unsafe', synchronous_commit: 'off', fsync: 'on' });
  });
});
