// Slow: holds thousands of polls open.
import { setTimeout as pause } from 'node:timers/promises';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  report,
} from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAct } from '../../act.ts';
import { type Database, openDatabase } from '../../db/open.ts';
import { createSignals, type Signals } from '../../db/signals.ts';
import { hashSecret } from '../../lib/keys.ts';
import { createMemory } from '../../lib/memory.ts';
import { createEngine, type Engine } from '../engine.ts';
import { createLinks } from '../record/links.ts';
import { type PollResult, pollEvents, requestFeed } from './poll.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  await succeed(pollRequests(service, stage));
});
afterAll(() => service.close());

const WAITS = 3000;
/** A part of the query for pollers, and of no other statement. */
const LOOK = 'p.since < case p.of';

function engineOn(db: Database, signals: Signals, stopping: AbortSignal, heartbeatMs: number): Engine {
  const { clock, config } = service.context;
  return createEngine({
    maxPending: Number.POSITIVE_INFINITY,
    db,
    signals,
    owners: createMemory(10),
    clock,
    stopping,
    enabledNetworks: config.enabledNetworks,
    observedNetworks: [],
    links: createLinks(service.url),
    heartbeatMs,
  });
}

// A distributed database is queried once for each merchant.
describe.skipIf(isDistributedRun)('waiting', () => {
  it(`${WAITS} polls of one caller that know the same are one query per beat`, async () => {
    const { db } = service;
    const lookUps = async () => {
      const [row] = await db<{ count: number }[]>`
        select seq_scan + coalesce(idx_scan, 0) as count from pg_stat_user_tables where relname = 'merchant_standings'`;
      return row?.count ?? 0;
    };
    const before = await lookUps();
    let beats = 0;
    const name = 'beats of one caller';
    const own = openDatabase(service.database.target, {
      pool: 1,
      name,
      onStatement(text) {
        if (text.includes(LOOK)) beats += 1;
      },
    });
    const stopping = new AbortController();
    const { waiters, permissions } = engineOn(own, createSignals(own), stopping.signal, 50);
    const caller = { tokenHash: hashSecret(stage.connectionToken) };
    // Like the read before a wait. A waiter that is not cached reads for itself at every beat.
    await permissions.find(caller, 'payment.requests.read');
    const watches = Array.from({ length: WAITS }, () =>
      waiters.watch(
        { kind: 'poll', of: 'payment_request', caller, since: Number.MAX_SAFE_INTEGER },
        [],
        new AbortController().signal,
      ),
    );
    const waits = watches.map((watch) => watch.next(120_000));
    while (beats < 3) await pause(20);
    stopping.abort();
    expect(new Set(await Promise.all(waits))).toEqual(new Set(['stopping']));
    for (const watch of watches) watch.close();
    // A backend reports its statistics when it exits, at the latest.
    await own.end();
    while ((await db`select from pg_stat_activity where application_name = ${name}`).length > 0)
      await pause(20);
    // The service's own earlier lookups may be counted in as well.
    expect((await lookUps()) - before).toBeLessThan((beats * WAITS) / 2);
  });

  it(`costs one query per process and heartbeat, for ${WAITS} polls as for one, and still wakes everybody`, async () => {
    const statements: string[] = [];
    const db = openDatabase(service.database.target, {
      pool: 2,
      onStatement: (text) => statements.push(text),
    });
    const signals = createSignals(db);
    await signals.connect();
    const { context } = service;
    const stopping = new AbortController();
    const engine = engineOn(db, signals, stopping.signal, 1000);
    const wait = () =>
      pollEvents(engine, {
        feed: requestFeed,
        caller: { tokenHash: hashSecret(stage.connectionToken) },
        authenticate: () => Promise.reject(new Error('the statement itself knows the token')),
        since: 0,
        limit: 10,
        waitMs: 30_000,
        hungUp: new AbortController().signal,
        newAct: () => createAct(context, 'test'),
      });
    const waiting: Promise<PollResult>[] = Array.from({ length: WAITS }, wait);
    while (engine.waiters.waiting() < WAITS || statements.at(-1) === undefined) await pause(20);
    // Until their first reads are over, which takes a busy machine a while.
    for (let seen = -1; seen !== statements.length; await pause(400)) seen = statements.length;
    statements.length = 0;
    await pause(2500);
    const idle = [...statements];
    expect(idle.length).toBeGreaterThanOrEqual(1);
    expect(idle.length).toBeLessThanOrEqual(3);
    for (const text of idle) expect(text).toContain(LOOK);
    expect(engine.waiters.waiting()).toBe(WAITS);

    // Created by another process: the service itself learns of it through the notification alone.
    const { request_id } = await pendingRequest(service, stage);
    const moved = await succeed(report(service, stage, request_id, { status: 'signed' }));
    const pages = await Promise.all(waiting);
    for (const page of pages) expect(JSON.parse(page.events)).toEqual([moved.body.event]);
    expect(engine.waiters.waiting()).toBe(0);
    await signals.close();
    await db.end();
  });
});
