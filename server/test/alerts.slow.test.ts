// Slow: breaks services until each alert fires.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@payassent/proof/database/database';
import { startWitness } from '@payassent/proof/log/witness';
import { succeed, uniqueEmail } from '@payassent/proof/people/merchants';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { until } from '@payassent/proof/people/webhooks';
import { backloggedService } from '@payassent/proof/service/metrics';
import { startProcess } from '@payassent/proof/service/process';
import {
  freePort,
  type ServiceOptions,
  startService,
  type TestService,
} from '@payassent/proof/service/service';
import {
  HAS_PROMETHEUS,
  promtool,
  type RunningPrometheus,
  startPrometheus,
} from '@payassent/proof/surroundings/prometheus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const RULES = read('deploy/prometheus/alerts.yml');
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map((match) => match[1] ?? '');
const WITHIN = { timeout: 240_000, interval: 500 };

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function start(options: ServiceOptions = {}): Promise<TestService> {
  const service = await startService(options);
  cleanups.push(() => service.close());
  return service;
}

/** Each causes one kind of trouble, for real, and returns where it becomes visible. */
const TROUBLES = {
  gone: async () => ({ url: `http://127.0.0.1:${await freePort()}` }),

  /** Nothing works off the queues, and the clock is two days ahead of the database's. */
  late: async () => {
    const service = await backloggedService();
    cleanups.push(() => service.close());
    service.clock.advance(2 * 86_400_000);
    return { url: service.url };
  },

  /** Someone holds a table: calls wait, then fail. */
  locked: async () => {
    const { url, call, database } = await start();
    const enrol = () => call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    const go = async () => {
      const other = openDatabase(database.target, { pool: 1, patient: true });
      const held = await other.reserve();
      await held.unsafe('begin; lock table wallets in access exclusive mode');
      let isOver = false;
      const calls = (async () => {
        while (!isOver) await Promise.all(Array.from({ length: 40 }, enrol));
      })();
      cleanups.push(async () => {
        isOver = true;
        await held.unsafe('rollback');
        held.release();
        await other.end();
        await calls;
      });
    };
    return { url, go };
  },

  /** A call waits, and the trial that follows is not confirmed either. */
  unconfirmed: async () => {
    const { url, call, database } = await start();
    const go = async () => {
      const other = openDatabase(database.target, { pool: 1, patient: true });
      const held = await other.reserve();
      await held.unsafe('begin; lock table wallets, rate_budgets in exclusive mode');
      cleanups.push(async () => {
        await held.unsafe('rollback');
        held.release();
        await other.end();
      });
      await call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    };
    return { url, go };
  },

  cut: async () => {
    const { url, proxy } = await start({ behindProxy: true });
    return { url, go: () => proxy?.pause() };
  },

  /** A table is missing: calls and a job meet it. */
  broken: async () => {
    const { url, call, db } = await start({ env: { SVC_RATE_LIMITS: 'device_enrolment=1/h' } });
    const go = async () => {
      await db`alter table mail_jobs rename to mail_jobs_gone`;
      cleanups.push(() => db`alter table mail_jobs_gone rename to mail_jobs`);
      await call('POST', '/v1/merchant-accounts/registrations', { body: { email: uniqueEmail() } });
      for (let turn = 0; turn < 300; turn += 1)
        await call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    };
    return { url, go };
  },

  forgetful: async () => {
    const service = await start({ env: { SVC_ALLOW_UNSAFE_DURABILITY: 'on' } });
    await service.db.unsafe(
      `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
    );
    await service.restart();
    return { url: service.url };
  },

  /** A witness and a mail server refuse; and this process is kept from its work. */
  refused: async () => {
    const witness = await startWitness('witness.example', new Uint8Array(32).fill(3));
    const service = await start({ env: { SVC_LOG_WITNESSES: witness.setting } });
    cleanups.push(() => witness.receiver.close());
    const go = async () => {
      await paymentStage(service);
      service.smtp.failNext({ at: 'recipient', code: 550 }, 3);
      await service.call('POST', '/v1/merchant-accounts/registrations', { body: { email: uniqueEmail() } });
    };
    return { url: service.url, go };
  },

  /** One of two workers is killed, and what should replace it cannot start. */
  halved: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-preload-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    const [preload, flag] = [join(folder, 'end.cjs'), join(folder, 'flag')];
    await writeFile(
      preload,
      `if (process.send && require('fs').existsSync(${JSON.stringify(flag)})) process.exit(7);`,
    );
    const service = await process_({ SVC_WORKERS: '2', NODE_OPTIONS: `--require ${preload}` });
    const go = async () => {
      await writeFile(flag, '');
      process.kill((await service.call('GET', '/health')).body.pid as number, 'SIGKILL');
    };
    return { url: service.address, go };
  },

  none: async () => ({ url: (await process_({})).address }),
} satisfies Record<string, () => Promise<{ url: string; go?: () => unknown }>>;

async function process_(env: Record<string, string>) {
  const database = await createDatabase();
  const service = await startProcess({
    DATABASE_URL: database.url,
    SVC_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    SVC_PORT: String(await freePort()),
    ...env,
  });
  cleanups.push(async () => {
    await service.end('SIGKILL');
    await database.drop();
  });
  return service;
}

const SEEN_AT: Record<string, keyof typeof TROUBLES> = {
  PayAssentDown: 'gone',
  PayAssentWorkersMissing: 'halved',
  PayAssentDatabaseDown: 'cut',
  PayAssentDatabaseFaults: 'locked',
  PayAssentWritingRefused: 'unconfirmed',
  PayAssentNotDurable: 'forgetful',
  PayAssentPoolExhausted: 'locked',
  PayAssentErrorRate: 'locked',
  PayAssentInternalErrors: 'broken',
  PayAssentSlow: 'locked',
  PayAssentEventLoopBlocked: 'refused',
  PayAssentWebhooksLate: 'late',
  PayAssentExpiryLate: 'late',
  PayAssentMailsLate: 'late',
  PayAssentMailsGivenUp: 'refused',
  PayAssentTransparencyLogLate: 'late',
  PayAssentAuditChainLate: 'late',
  PayAssentWitnessRefuses: 'refused',
  PayAssentJobStalled: 'broken',
  PayAssentClockSkew: 'late',
  PayAssentRateLimited: 'broken',
};

/** These may be true of any process on a machine that has no time for it. */
const STARVED = new Set(
  [
    'Down',
    'Slow',
    'EventLoopBlocked',
    'DatabaseDown',
    'DatabaseFaults',
    'ErrorRate',
    'PoolExhausted',
    'JobStalled',
    'WorkersMissing',
  ].map((name) => `PayAssent${name}`),
);

describe.skipIf(!HAS_PROMETHEUS)('every alert (needs the programs prometheus and promtool)', () => {
  let prometheus: RunningPrometheus;
  beforeAll(async () => {
    const targets: Record<string, string> = {};
    const actions: (() => unknown)[] = [];
    for (const [name, make] of Object.entries(TROUBLES)) {
      const made: { url: string; go?: () => unknown } = await make();
      targets[name] = made.url;
      if (made.go) actions.push(made.go);
    }
    prometheus = await startPrometheus(RULES, targets);
    cleanups.push(() => prometheus.close());
    await until(async () => (await prometheus.fired()).length > 0, WITHIN.timeout);
    for (const go of actions) await go();
  }, 600_000);

  it('is caused here', () => {
    expect(Object.keys(SEEN_AT).sort()).toEqual([...ALERTS].sort());
  });

  it.each(Object.entries(SEEN_AT))(
    'fires where its cause is: %s',
    async (alert, target) => {
      const isThere = async () => {
        if (alert === 'PayAssentEventLoopBlocked') block(400);
        return (await prometheus.fired()).some((each) => each.alert === alert && each.target === target);
      };
      await expect.poll(isThere, WITHIN).toBe(true);
    },
    300_000,
  );

  it('is silent where nothing is wrong', async () => {
    const fired = await prometheus.fired();
    expect(fired.filter(({ target, alert }) => target === 'none' && !STARVED.has(alert))).toEqual([]);
  });
});

function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

describe.skipIf(!HAS_PROMETHEUS)('what is shipped (needs the programs prometheus and promtool)', () => {
  it('is accepted by Prometheus: configuration, rules, and when each rule fires', () => {
    const path = (name: string) => new URL(`deploy/prometheus/${name}`, ROOT).pathname;
    for (const args of [
      ['check', 'config', path('prometheus.yml')],
      ['check', 'rules', path('alerts.yml')],
      ['test', 'rules', path('alerts.test.yml')],
    ]) {
      const { code, output } = promtool(args);
      expect(code, output).toBe(0);
    }
  });
});

/** No witness is configured here, and no transaction is observed. */
const COUNTED_WHEN_FIRST_MET = /^svc_(?:log_witness_answers|settlement_(?:looks|changes))_total$/;

describe('the run-book', () => {
  const sections = new Map(
    read('docs/RUNBOOK.md')
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );

  it('has a section for each alert, with cause, how to see it and what to do', () => {
    expect([...sections.keys()]).toEqual(ALERTS);
    for (const section of sections.values())
      for (const part of ['**Cause.**', '**See it.**', '**Do.**']) expect(section).toContain(part);
    for (const alert of ALERTS)
      expect(RULES).toContain(
        `runbook_url: "{{ $externalLabels.payassent_url }}/docs/runbook#${alert.toLowerCase()}"`,
      );
  });

  it.each([
    'deploy/prometheus/alerts.yml',
    'deploy/grafana/payassent.json',
    'docs/RUNBOOK.md',
    'docs/operators/running.md',
  ])('and rules, dashboard and manual name only existing metrics: %s', async (path) => {
    const service = await startService({
      env: {
        SVC_RATE_LIMITS: 'on',
        SVC_OTLP_URL: 'http://127.0.0.1:1',
        SVC_OBSERVE: 'bitcoin_mainnet=http://127.0.0.1:1',
      },
    });
    try {
      const stage = await paymentStage(service);
      const { request_id } = await pendingRequest(service, stage);
      await succeed(report(service, stage, request_id, { status: 'rejected' }));
      const { text } = await service.call('GET', '/metrics');
      const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]));
      const named = [...read(path).matchAll(/\b(?:svc|nodejs|process)_[a-z_0-9]+\b/g)].map(([name]) =>
        name.replace(/_(?:bucket|count|sum)$/, ''),
      );
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !known.has(name) && !COUNTED_WHEN_FIRST_MET.test(name))).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
