import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { waitingForLocks } from '@payassent/proof/database/many';
import {
  type PaymentStage,
  paymentBody,
  paymentStage,
  pendingRequest,
} from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAct } from '../../act.ts';
import { isUnavailable } from '../../db/faults.ts';
import { type Database, openDatabase } from '../../db/open.ts';
import { hashSecret } from '../../lib/keys.ts';
import { createMemory } from '../../lib/memory.ts';
import type { ConnectionPrincipal } from '../../principals.ts';
import { createEngine, type Engine } from '../engine.ts';
import { createLinks } from '../record/links.ts';
import { createPaymentRequest } from './create.ts';
import { insertSurely } from './insert.ts';

let service: TestService;
let stage: PaymentStage;
let folder: string;
let db: Database;
let engine: Engine;
/** Responses of creates still to be swallowed, with the connection cut after each. */
let cuts = 0;
let close: () => void;

beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  await pendingRequest(service, stage);
  const { target } = service.database;
  folder = await mkdtemp(join(tmpdir(), 'svc-cut-'));
  const file = `.s.PGSQL.${target.port}`;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = createConnection(join(target.host ?? '', file));
    let isCreating = false;
    let hasRecord = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (chunk) => {
      // The parameter of a create, which is in every execution of the prepared statement.
      if (chunk.includes('facts_digest')) isCreating = true;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      // "Ready for query, idle" comes after the commit: from here on the row is durable and its caller does not know.
      const isDone = chunk.includes(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]));
      // A long response comes in several pieces.
      hasRecord ||= chunk.includes('payment_request');
      if (isCreating && isDone && cuts > 0 && hasRecord) {
        cuts -= 1;
        client.destroy();
      } else client.write(chunk);
      if (isDone) hasRecord = false;
    });
  });
  await new Promise<void>((resolve) => proxy.listen(join(folder, file), resolve));
  db = openDatabase({ ...target, host: folder }, { pool: 2 });
  close = () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  const { clock, signals, stopping, config } = service.context;
  engine = createEngine({
    db,
    clock,
    signals,
    stopping,
    enabledNetworks: config.enabledNetworks,
    observedNetworks: [],
    links: createLinks(service.url),
    owners: createMemory(10),
    maxPending: Number.POSITIVE_INFINITY,
  });
});
afterAll(async () => {
  await db.end({ timeout: 1 });
  close();
  await rm(folder, { recursive: true });
  await service.close();
});

const principal = (): ConnectionPrincipal => ({
  kind: 'connection',
  merchantId: stage.merchant.merchantId,
  agentId: stage.agent.agentId,
  walletId: stage.device.walletId,
  isShared: false,
  connectionId: stage.connectionId,
  status: 'active',
  scopes: ['payment.requests.create'],
});

const actOf = (leftMs: number) =>
  Object.assign(createAct(service.context, 'test'), { untilMs: performance.now() + leftMs });

const create = (idempotencyKey: string, leftMs = 10_000) =>
  createPaymentRequest(engine, actOf(leftMs), {
    caller: { tokenHash: hashSecret(stage.connectionToken) },
    authenticate: async () => principal(),
    body: paymentBody(stage),
    issues: [],
    idempotencyKey,
  });

// The proxy waits for the bytes of the one statement that stores a request on a single PostgreSQL.
describe.skipIf(isDistributedRun)('a connection that breaks at the commit', () => {
  it('leaves one record, and its caller gets it as if nothing had happened', async () => {
    await create(randomUUID());
    const key = randomUUID();
    cuts = 1;
    const answer = await create(key);
    expect(cuts).toBe(0);
    expect(answer.isReplay).toBe(false);
    const rows = await service.db`
      select request_id from payment_requests
      where connection_id = ${stage.connectionId} and idempotency_key = ${key}`;
    expect(rows.map((row) => row['request_id'])).toEqual([JSON.parse(answer.record).request_id]);
    const again = await create(key);
    expect(again).toEqual({ ...answer, isReplay: true });
  });

  it('does so for every caller of a shared statement', async () => {
    cuts = 1;
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const answers = await Promise.all(keys.map((key) => create(key)));
    expect(cuts).toBe(0);
    expect(answers.map((answer) => answer.isReplay)).toEqual(keys.map(() => false));
    expect(new Set(answers.map((answer) => JSON.parse(answer.record).request_id)).size).toBe(12);
  });
});

describe('a create whose call was given up', () => {
  it('stores nothing after the 503, however long its connection was held', async () => {
    await create(randomUUID());
    const key = randomUUID();
    await service.db.begin(async (tx) => {
      await tx`select from connections where connection_id = ${stage.connectionId} for update`;
      const startedMs = performance.now();
      const given = await create(key, 300).catch((error: unknown) => error);
      expect(isUnavailable(given)).toBe(true);
      // Not when the database gives up the lock wait, which is later than the caller's error.
      expect(performance.now() - startedMs).toBeLessThan(5000);
      expect(await waitingForLocks(service.db)).toBe(0);
    });
    expect(await service.db`select from payment_requests where idempotency_key = ${key}`).toHaveLength(0);
    expect((await create(key)).isReplay).toBe(false);
  });

  it('begins no further read, and sends nothing again', async () => {
    await expect(create(randomUUID(), -1)).rejects.toMatchObject({ code: 'unavailable' });
    const broken = Object.assign(new Error('broken'), { code: 'CONNECTION_CLOSED' });
    const held = Object.assign(new Error('held'), { code: '55P03' });
    for (const [fault, leftMs, tries] of [
      [broken, 10_000, 2],
      [broken, -1, 1],
      [held, 10_000, 1],
    ] as const) {
      let tried = 0;
      const insert = async () => {
        tried += 1;
        throw fault;
      };
      await expect(insertSurely(performance.now() + leftMs, insert)).rejects.toBe(fault);
      expect(tried).toBe(tries);
    }
  });
});
