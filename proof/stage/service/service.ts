/*
 * The service under test: in this process here, in separate processes in `process.ts` and `killable.ts`, with its
 * clients. Every test and tool may import it; tools that run without vitest use `killable.ts` only.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { App, createApp } from '../../../server/src/app.ts';
import { type Env, parseConfig } from '../../../server/src/config/index.ts';
import { type Context, type ContextOverrides, createContext } from '../../../server/src/context.ts';
import { type Database, openDatabase } from '../../../server/src/db/open.ts';
import { learnLayout } from '../../../server/src/storage/index.ts';
import { createDatabase, type DatabaseOptions, type TestDatabase } from '../database/database.ts';
import { isDistributedRun } from '../database/layout.ts';
import { createTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts';
import { freePort } from '../free-port.ts';
import {
  startDnsServer,
  startSmtpServer,
  type TestDnsServer,
  type TestSmtpServer,
} from '../surroundings/surroundings.ts';
import { createAnswerCheck } from './answers.ts';
import { type Caller, createCaller } from './client.ts';
import { createTestClock, type TestClock } from './clock.ts';

export { freePort };

/** A whole service in this process, on a separate database, with real mail and DNS next to it. */
export interface TestService {
  url: string;
  call: Caller;
  context: Context;
  /** What its features share, and what they implement. */
  app: Pick<App, 'parts' | 'routes'>;
  /** As owner, next to the service: it sees and may do everything. */
  db: Database;
  database: TestDatabase;
  proxy: TcpProxy | undefined;
  clock: TestClock;
  smtp: TestSmtpServer;
  dns: TestDnsServer;
  dataDir: string;
  /** The environment that a second service on the same database would need. */
  env: Env;
  /** Stops and starts the service on the same database. Addresses stay. */
  restart(options?: Pick<ServiceOptions, 'jobs'>): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceOptions extends Pick<DatabaseOptions, 'ungranted'> {
  env?: Env;
  /** Off: the test itself runs the jobs it means. */
  jobs?: boolean;
  /** The clock is frozen at this moment, from before the first job runs. */
  frozenAt?: Date;
  /** The service reaches its database through `service.proxy`. */
  behindProxy?: boolean;
  /** Another way for the service to its database, and what belongs to it. */
  reach?(databaseUrl: string): Promise<{ url: string; env?: Env; close(): Promise<void> }>;
  /** Parts of the context that this test brings itself. */
  overrides?(surroundings: { dns: TestDnsServer }): ContextOverrides;
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const [database, smtp, dns, dataDir, port] = await Promise.all([
    createDatabase(options),
    startSmtpServer(),
    startDnsServer(),
    mkdtemp(join(tmpdir(), 'svc-data-')),
    freePort(),
  ]);
  const env: Env = {
    DATABASE_URL: database.url,
    SVC_DATA_DIR: dataDir,
    SVC_PORT: String(port),
    SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_SMTP_URL: smtp.url,
    SVC_MAIL_FROM: 'PayAssent <no-reply@payassent.example>',
    SVC_DNS_SERVERS: dns.address,
    SVC_DB_POOL: '4',
    SVC_LOG_LEVEL: 'error',
    ...options.env,
  };
  const way = await options.reach?.(database.url);
  Object.assign(env, way ? { DATABASE_URL: way.url, ...way.env } : {});
  const config = parseConfig(env);
  const proxy = options.behindProxy ? await createTcpProxy(database.url) : undefined;
  const clock = createTestClock();
  if (options.frozenAt) clock.freeze(options.frozenAt);
  const answers = createAnswerCheck();
  const createApp = await loadApp();
  let running: { app: App; context: Context };
  const start = async (jobs = options.jobs) => {
    const context = await createContext(config, placeOf(way?.url ?? proxy?.url) ?? database.target, {
      clock,
      ...options.overrides?.({ dns }),
    });
    const app = await createApp(context, {
      observe: answers.observe,
      ...(jobs === undefined ? {} : { jobs }),
    });
    await app.start();
    await app.server.listen({ host: config.host, port: config.port });
    running = { app, context };
  };
  const stop = async () => {
    await running.app.stop();
    await running.context.close();
  };
  await start();
  const db = openDatabase(database.target, { pool: 4, name: 'test' });
  if (isDistributedRun) await learnLayout(db);
  // Tests read rows that jobs are about to delete: the first read must not wait for a connection.
  await db`select 1`;
  const url = `http://${config.host}:${config.port}`;
  return {
    url,
    call: createCaller(url),
    get context() {
      return running.context;
    },
    get app() {
      return running.app;
    },
    db,
    database,
    proxy,
    clock,
    smtp,
    dns,
    dataDir,
    env,
    async restart({ jobs } = options) {
      await stop();
      await start(jobs);
    },
    async close() {
      await stop();
      await db.end({ timeout: 1 });
      await Promise.all([smtp.close(), dns.close(), proxy?.close(), way?.close()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      answers.conclude();
    },
  };
}

const placeOf = (url: string | undefined) => (url === undefined ? undefined : { url });

/** For a single test; closes itself. */
export async function serviceForTest(options: ServiceOptions = {}): Promise<TestService> {
  const service = await startService(options);
  onTestFinished(() => service.close());
  return service;
}

/**
 * The service, loaded in a way that the graph of modules does not show: `vitest run --changed` would otherwise relate
 * every test to every source. `related.ts` determines which tests belong to which feature.
 */
export async function loadApp(): Promise<typeof createApp> {
  const path = new URL('../../../server/src/app.ts', import.meta.url).pathname;
  const app: { createApp: typeof createApp } = await import(/* @vite-ignore */ path);
  return app.createApp;
}
