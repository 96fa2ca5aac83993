// Slow: keeps a standby away for a minute under calls.
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { HAS_SERVER_PROGRAMS, onServer, openServer, patiently } from '@payassent/proof/database/servers';
import { postRequest, readRequest } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from './site.ts';

const AWAY_MS = 60_000;
const FIRST_MS = 30_000;
const WRITERS = 8;
const WORKERS = 2;
/** Its pool, one that listens, and one for trials. */
const CONNECTIONS_OF_A_WORKER = 8 + 2;
/** Of clients that ignore `Retry-After`. */
const PAUSE_MS = 250;
/** Alone it is half a second, and more next to other tests; a call that waits for a connection takes ten. */
const SOON_MS = 5_000;

let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp('/tmp/standby-away-');
  await chmod(folder, 0o755);
  site = await openSite(folder);
});
afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Seen {
  what: string;
  fromMs: number;
  tookMs: number;
  status: number;
  key?: string;
  received: Received;
}

describe.runIf(HAS_SERVER_PROGRAMS)('the only synchronous standby (needs PostgreSQL of Debian)', () => {
  it('may be absent: writes get 503 immediately, reads continue, the server keeps its connections, and writes resume afterwards', async () => {
    const { call, stage, primary, standby } = site;
    const server = openServer(primary, 1);
    const backends = async () => {
      const [row] = await server<[{ waiting: number; others: number }]>`
        select count(*) filter (where wait_event = 'SyncRep')::int as waiting,
               count(*) filter (where wait_event is distinct from 'SyncRep')::int as others
        from pg_stat_activity where backend_type = 'client backend'`;
      return row;
    };
    const seen: Seen[] = [];
    const counts: { atMs: number; waiting: number; others: number }[] = [];
    const startMs = performance.now();
    const at = () => performance.now() - startMs;
    let isOver = false;
    const see = async (what: string, make: () => Promise<Received>, key?: string) => {
      const fromMs = at();
      const received = await make();
      const took = { fromMs, tookMs: at() - fromMs, status: received.status };
      seen.push({ what, ...took, received, ...(key === undefined ? {} : { key }) });
      return received;
    };
    const write = () => {
      const key = randomUUID();
      return see('write', () => postRequest(site, stage, {}, { idempotencyKey: key }), key);
    };
    const again = async (turn: () => Promise<unknown>) => {
      while (!isOver) {
        await turn();
        await pause(PAUSE_MS);
      }
    };
    const query = { status: 'pending' };
    const device = deviceOf(stage.device);
    const { session } = stage.merchant;
    const reads = {
      read: () => readRequest(site, stage, site.requestId),
      inbox: () => call('GET', '/v1/payment-requests', { device, query }),
      portal: () => call('GET', '/v1/merchants/current', { session }),
      log: () => call('GET', '/v1/request-log', { session }),
      ready: () => call('GET', '/ready'),
    };

    expect((await write()).status).toBe(201);
    await standby.kill();
    const awayFromMs = at();
    const going = [
      ...Array.from({ length: WRITERS }, () => again(write)),
      ...Object.entries(reads).map(([what, read]) => again(() => see(what, read))),
      again(async () => counts.push({ atMs: at(), ...(await backends()) })),
    ];
    await pause(AWAY_MS);
    const health = await call('GET', '/health');
    isOver = true;
    await Promise.all(going);

    const later = seen.filter(({ fromMs }) => fromMs > awayFromMs + FIRST_MS);
    const of = (what: string) => later.filter((each) => each.what === what);
    const figures = Object.fromEntries(
      ['write', ...Object.keys(reads)].map((what) => [
        what,
        {
          calls: of(what).length,
          statuses: [...new Set(of(what).map(({ status }) => status))],
          slowestMs: Math.round(Math.max(...of(what).map(({ tookMs }) => tookMs))),
        },
      ]),
    );
    for (const what of Object.keys(reads)) {
      expect(figures[what]?.calls).toBeGreaterThan(20);
      expect([what, figures[what]?.statuses]).toEqual([what, [200]]);
      expect(figures[what]?.slowestMs).toBeLessThan(SOON_MS);
    }
    expect(figures['write']?.statuses).toEqual([503]);
    expect(figures['write']?.slowestMs).toBeLessThan(SOON_MS);
    const [refusal] = of('write');
    expect([refusal?.received.headers.get('retry-after'), refusal?.received.body.error.code]).toEqual([
      '5',
      'unavailable',
    ]);
    expect([health.status, health.body.status, health.body.checks.writing]).toEqual([
      200,
      'degraded',
      'refused',
    ]);
    const most = (what: 'waiting' | 'others', from: number, to: number) =>
      Math.max(...counts.filter(({ atMs }) => atMs >= from && atMs < to).map((count) => count[what]));
    // Each worker has one for its trials.
    expect(most('waiting', FIRST_MS, AWAY_MS)).toBeLessThanOrEqual(most('waiting', 0, FIRST_MS) + WORKERS);
    // Pools fill up again when calls need it, which may be late; the test has one more.
    expect(most('others', FIRST_MS, AWAY_MS)).toBeLessThanOrEqual(WORKERS * CONNECTIONS_OF_A_WORKER + 1);

    await standby.start();
    await onServer(primary, (db) =>
      patiently(async () => {
        const synced = await db`select from pg_stat_replication where sync_state = 'sync'`;
        if (synced.length === 0) throw new Error('not yet');
      }),
    );
    await expect.poll(async () => (await write()).status, { timeout: 10_000 }).toBe(201);
    expect((await call('GET', '/health')).body.checks.database).toBe('ok');

    const kept = await server<{ idempotency_key: string }[]>`
      select idempotency_key from payment_requests where idempotency_key is not null`;
    const keys = new Set(kept.map(({ idempotency_key }) => idempotency_key));
    const writes = seen.filter(({ what }) => what === 'write');
    const acknowledged = writes.filter(({ status }) => status === 201);
    expect(acknowledged.filter(({ key = '' }) => !keys.has(key))).toEqual([]);
    const refused = writes.filter(({ received }) => /Nothing was done/.test(received.body.error?.message));
    expect(refused.length).toBeGreaterThan(100);
    expect(refused.filter(({ key = '' }) => keys.has(key))).toEqual([]);
    await server.end();
  }, 300_000);
});
