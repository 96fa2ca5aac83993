import { setTimeout as pause } from 'node:timers/promises';
import { succeed } from '@payassent/test-kit/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  report,
} from '@payassent/test-kit/payments';
import { startService, type TestService } from '@payassent/test-kit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAct } from '../../act.ts';
import { openDatabase } from '../../db/open.ts';
import { createSignals } from '../../db/signals.ts';
import { hashSecret } from '../../lib/keys.ts';
import { createMemory } from '../../lib/memory.ts';
import { createEngine } from './engine.ts';
import { createLinks } from './links.ts';
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

describe('waiting', () => {
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
    const engine = createEngine({
      maxPending: Number.POSITIVE_INFINITY,
      db,
      signals,
      owners: createMemory(10),
      clock: context.clock,
      stopping: stopping.signal,
      enabledNetworks: context.config.enabledNetworks,
      observedNetworks: [],
      links: createLinks(service.url),
      heartbeatMs: 1000,
    });
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
    // Until their first looks are over, which takes a busy machine a while.
    for (let seen = -1; seen !== statements.length; await pause(400)) seen = statements.length;
    statements.length = 0;
    await pause(2500);
    const idle = [...statements];
    expect(idle.length).toBeGreaterThanOrEqual(1);
    expect(idle.length).toBeLessThanOrEqual(3);
    for (const text of idle) expect(text).toContain("select 'poll' as kind");
    expect(engine.waiters.waiting()).toBe(WAITS);

    // Told by another process: the service itself, through the notification alone.
    const { request_id } = await pendingRequest(service, stage);
    const moved = await succeed(report(service, stage, request_id, { status: 'signed' }));
    const pages = await Promise.all(waiting);
    for (const page of pages) expect(JSON.parse(page.events)).toEqual([moved.body.event]);
    expect(engine.waiters.waiting()).toBe(0);
    await signals.close();
    await db.end();
  });
});
