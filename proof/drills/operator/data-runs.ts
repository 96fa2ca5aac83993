import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../server/src/db/open.ts';
import { load } from '../../../server/src/maintenance/backup/load.ts';
import { contentOf, framesOf, readStored } from '../../stage/database/stored-database.ts';
import { startArrivals } from '../../stage/load/arrivals.ts';
import { AMOUNT, KEY } from '../../stage/load/jobs.ts';
import { create } from '../../stage/load/requests.ts';
import type { PaymentStage } from '../../stage/people/payments.ts';
import { ROOT } from '../../stage/root.ts';
import { SECOND } from '../crowd.ts';
import { nothingTold, startLoad } from './load.ts';
import { knockWhile, type Outcome, withService } from './run.ts';
import type { Site } from './site.ts';

const RATE = { ratePerS: 500, sockets: 200 };

/** Creates by the clock, over bare sockets: the machine's cores belong to the service. */
async function startCreates(port: number, stage: PaymentStage) {
  /** Amount by id. */
  const created = new Map<string, string>();
  const faults: string[] = [];
  const request = create(stage.connectionToken, {
    recipientId: stage.payee.recipientId,
    versionId: stage.payee.recipientVersionId,
  });
  let sent = 0;
  const next = () => {
    sent += 1;
    return request
      .replace(KEY, `drill-${sent}`.padEnd(KEY.length, '.'))
      .replace(AMOUNT, `${1000 + (sent % 9000)}.${10 + (sent % 90)}`);
  };
  const { due, stop } = await startArrivals({ port, ...RATE }, next, {
    answered({ status, text }) {
      const [, id] = /"request_id":"(pr_\w+)"/.exec(text()) ?? [];
      const [, amount] = /"amount":"([\d.]+)"/.exec(text()) ?? [];
      if (status === 201 && id && amount) created.set(id, amount);
      else faults.push(text());
    },
    failed: (error) => void faults.push(error.message),
  });
  return { created, faults, due, stop };
}

/** What was there before the backup began is in it; what is in it is a prefix of what happened, and nothing is half. */
export async function backupUnderLoad(site: Site): Promise<Outcome> {
  const elsewhere = await site.another('restored');
  const file = join(site.folder, 'drill.backup');
  const stage = await site.stage();
  // Not by the proxy, which is part of this process and would be the bottleneck.
  const url = site.databaseUrl;
  try {
    return await withService(site, { SVC_WORKERS: '2', DATABASE_URL: url }, async () => {
      const creates = await startCreates(Number(new URL(site.url).port), stage);
      await pause(3 * SECOND);
      const [before, beforeMs, dueBefore] = [[...creates.created.keys()], performance.now(), creates.due()];
      const code = await command(['backup', file], site);
      const seconds = (performance.now() - beforeMs) / SECOND;
      const reached = (creates.created.size - before.length) / seconds;
      const offered = (creates.due() - dueBefore) / seconds;
      await creates.stop();
      const restored = code === 0 ? await command(['restore', file], site, elsewhere.url) : 1;
      const faults = [
        ...creates.faults,
        ...(code === 0 && restored === 0 ? [] : [`backup ended with ${code}, restore with ${restored}`]),
      ];
      const db = site.db();
      faults.push(...(restored === 0 ? await unlikePrefix(db, elsewhere.db, before) : []));
      await db.end();
      const acknowledged = [...creates.created].map(
        ([id, amount]) => [id, { amount, status: 'pending' }] as const,
      );
      return {
        told: [{ ...nothingTold(), acknowledged: new Map(acknowledged) }],
        faults,
        note: `${Math.round(offered)} creates a second offered and ${Math.round(reached)} acknowledged during the ${seconds.toFixed(0)} s of the backup`,
      };
    });
  } finally {
    await elsewhere.db.end();
  }
}

/** Runs `payassent`, and responds with its code. */
export async function command(
  args: readonly string[],
  site: Site,
  databaseUrl = site.databaseUrl,
): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, 'cli/dist/main.js'), ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: site.folder,
      ...site.settings,
      DATABASE_URL: databaseUrl,
      PAYASSENT_BACKUP_PASSPHRASE: 'correct horse battery staple',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

interface EventRow {
  connection_id: string;
  sequence: number;
  event_id: string;
}

async function unlikePrefix(now: Database, then: Database, before: readonly string[]): Promise<string[]> {
  const requests = await then<{ request_id: string; steps: number; events: number }[]>`
    select r.request_id, r.state_version - 1 as steps,
           (select count(*)::int from payment_request_events e
            where e.merchant_id = r.merchant_id and e.request_id = r.request_id) as events
    from payment_requests r`;
  const restored = new Map(requests.map((row) => [row.request_id, row]));
  const eventsOf = (db: Database) => db<EventRow[]>`
    select connection_id, sequence, event_id from payment_request_events order by connection_id, sequence`;
  const text = ({ connection_id, sequence, event_id }: EventRow) =>
    `${connection_id} ${sequence} ${event_id}`;
  const happened = new Set((await eventsOf(now)).map(text));
  const lasts = new Map<string, number>();
  const faults = before.filter((id) => !restored.has(id)).map((id) => `${id} is not in the backup`);
  for (const { request_id, steps, events } of requests)
    if (steps !== events) faults.push(`${request_id} has ${events} events of ${steps}`);
  for (const event of await eventsOf(then)) {
    if (!happened.has(text(event))) faults.push(`${text(event)} never happened`);
    const last = lasts.get(event.connection_id) ?? 0;
    if (event.sequence !== last + 1) faults.push(`${text(event)} follows ${last}`);
    lasts.set(event.connection_id, event.sequence);
  }
  return faults;
}

/**
 * Open requests of the stored database have expired by now, which changes these members; the events keep their earlier
 * values.
 */
const MOVING = ['status', 'state_version', 'reason', 'updated_at'];
const RECORDS = [
  'merchants',
  'agents',
  'recipients',
  'recipient_versions',
  'payment_requests',
  'payment_request_events',
  'agent_payments',
];

/**
 * Calls begin with the process: refused, or 503 with Retry-After, until it is ready, and only successful responses from
 * then on.
 */
export async function upgradeUnderLoad(site: Site): Promise<Outcome> {
  const { url, db } = await site.another('upgraded');
  const stored = readStored(join(ROOT, 'server/test/fixtures/schema-0008.jsonl'));
  await load(db, framesOf(stored));
  const tables = stored.tables
    .filter(({ table }) => RECORDS.includes(table))
    .map((each) => ({ ...each, columns: each.columns.filter((name) => !MOVING.includes(name)) }));
  const before = await contentOf(db, tables);
  const faults: string[] = [];
  const service = site.make({
    DATABASE_URL: url,
    SVC_WORKERS: '2',
    SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  let acknowledged = 0;
  try {
    const knocked = await knockWhile(
      `${site.url}/v1/networks`,
      async (isReady) => {
        await service.start();
        await service.untilHealthy(120 * SECOND);
        isReady();
        const working = startLoad({ url: site.url, stage: await site.newStage() });
        await pause(5 * SECOND);
        const told = await working.stop();
        acknowledged = told.acknowledged.size;
        faults.push(...told.late, ...told.wrong, ...told.givenUp);
      },
      ({ status, headers }) => status === 503 && headers.has('retry-after'),
    );
    const after = await contentOf(db, tables);
    for (const [what, rows] of Object.entries(before)) {
      const there = new Set(after[what]);
      if (rows.some((row) => !there.has(row))) faults.push(`other rows: ${what}`);
    }
    const [level] = await db<{ level: number }[]>`select max(number)::int as level from schema_migrations`;
    const rows = Object.values(before).reduce((sum, each) => sum + each.length, 0);
    const note = `to schema ${level?.level}; ${rows} records equal; ${knocked.early} × 503 before /ready, ${knocked.answered + acknowledged} responses`;
    return { told: [], faults: [...faults, ...knocked.faults], note };
  } finally {
    await service.stop();
    await db.end();
  }
}
