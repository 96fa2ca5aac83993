// Slow: lets two processes work for a while, of which one has another time of day.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '@payassent/proof/database/database';
import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { createCaller } from '@payassent/proof/service/client';
import { createServiceProcess, settingsFor } from '@payassent/proof/service/killable';
import { freePort } from '@payassent/proof/service/service';
import { startDnsServer, startSmtpServer } from '@payassent/proof/surroundings/surroundings';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

const OFF_MS = 600_000;
const LIFE_MS = 5_000;
const REQUESTS = 120;
const PAUSE_MS = 200;
/** The sweeper of a busy machine. */
const LATE_MS = 20_000;

interface Ended {
  request_id: string;
  /** After the end of its life, by the clock of the database. */
  late_ms: number;
}

it.each([
  ['ahead', OFF_MS],
  ['behind', -OFF_MS],
])(
  'of two processes one has a clock that is ten minutes %s: requests of both expire when their time is over, and no moment is in the future',
  async (_, offMs) => {
    const database = await createDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'clock-'));
    const [smtp, dns, port] = [await startSmtpServer(), await startDnsServer(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const env = { ...settingsFor({ url, smtp, dns, folder }), DATABASE_URL: database.url };
    const right = createServiceProcess({ name: 'right', folder, port, env });
    const wrong = createServiceProcess({ name: 'wrong', folder, port: await freePort(), env });
    const db = openDatabase(database.target, { pool: 1, patient: true });
    onTestFinished(async () => {
      await db.end();
      await Promise.all([right.kill(), wrong.kill(), smtp.close(), dns.close()]);
      await database.drop();
      await rm(folder, { recursive: true });
    });
    wrong.setClock(offMs);
    for (const service of [right, wrong]) await service.start();
    for (const service of [right, wrong]) await service.untilHealthy(120_000);
    const calls = [right, wrong].map((service) => createCaller(`http://127.0.0.1:${service.port}`));
    const [call] = calls;
    if (!call) throw new Error('no service');
    const stage = await paymentStage({ call, smtp, dns, url });
    const [health] = await Promise.all([calls[1]?.('GET', '/health')]);
    expect(Math.abs((health?.body.checks.clock_skew_ms ?? 0) + offMs)).toBeLessThan(60_000);

    for (let made = 0; made < REQUESTS; made += 1) {
      const through = calls[made % calls.length];
      if (!through) throw new Error('no service');
      const expires_at = new Date(Date.now() + LIFE_MS).toISOString();
      await pendingRequest({ call: through }, stage, { expires_at });
      await pause(PAUSE_MS);
    }
    const ended = () => db<Ended[]>`
      select e.request_id, (extract(epoch from e.occurred_at - r.expires_at) * 1000)::float8 as late_ms
      from payment_request_events e join payment_requests r
        on r.merchant_id = e.merchant_id and r.request_id = e.request_id and r.connection_id = e.connection_id
      where e.status = 'expired'`;
    await expect.poll(async () => (await ended()).length, { timeout: 60_000 }).toBe(REQUESTS);
    const rows = await ended();
    expect(rows.filter(({ late_ms }) => late_ms < 0)).toEqual([]);
    expect(rows.filter(({ late_ms }) => late_ms > LATE_MS)).toEqual([]);
    const future = await db`
      select request_id from payment_requests
      where greatest(created_at, updated_at) > clock_timestamp() + interval '1 second'
      union all select request_id from payment_request_events
      where occurred_at > clock_timestamp() + interval '1 second'
      union all select audit_event_id from audit_events where occurred_at > clock_timestamp() + interval '1 second'`;
    expect(future).toEqual([]);
  },
  300_000,
);
