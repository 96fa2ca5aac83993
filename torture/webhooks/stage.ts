import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Database } from '../../server/src/db/open.ts';
import { succeed, type TestMerchant, verifiedMerchant } from '../../server/test/harness/merchants.ts';
import { type ServiceProcess, startProcess } from '../../server/test/harness/process.ts';
import { freePort, serviceForTest, type TestService } from '../../server/test/harness/service.ts';
import { createEndpoint, type TestEndpoint } from '../../server/test/harness/webhooks.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface ReceiverStats {
  count: number;
  firstMs: number;
  lastMs: number;
  /** Requests that came while another with the same id was under way. */
  overlaps: number;
  most: number;
  distinct: number;
  repeated: number;
}

export interface ReceiverProcess {
  url: string;
  stats(): Promise<ReceiverStats>;
  reset(): Promise<void>;
}

export async function startReceiverProcess(holdMs = 0): Promise<ReceiverProcess> {
  const child = fork(here('receiver.mjs'), [String(holdMs)]);
  onTestFinished(() => end(child));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    stats: async () => (await (await fetch(`${url}/stats`)).json()) as ReceiverStats,
    reset: async () => void (await fetch(`${url}/reset`)),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/**
 * A service with one merchant and its active endpoints that answers calls and delivers nothing, beside which real
 * processes do the work.
 */
export async function quietService(urls: readonly string[]): Promise<{
  service: TestService;
  merchant: TestMerchant;
  endpoints: TestEndpoint[];
}> {
  const service = await serviceForTest();
  const merchant = await verifiedMerchant(service);
  const { session } = merchant;
  const endpoints: TestEndpoint[] = [];
  for (const url of urls) {
    const endpoint = await createEndpoint(service, merchant, { url });
    const path = `/v1/webhook-endpoints/${endpoint.endpointId}/verify`;
    await succeed(service.call('POST', path, { session }));
    endpoints.push(endpoint);
  }
  // As at a stop: its own worker claims nothing from here on.
  service.context.stop();
  return { service, merchant, endpoints };
}

export async function startWorker(service: TestService): Promise<ServiceProcess> {
  const worker = await startProcess({
    ...service.env,
    SVC_PORT: String(await freePort()),
    SVC_LOG_LEVEL: 'warn',
  });
  onTestFinished(async () => void (await worker.end('SIGKILL')));
  return worker;
}

/** Deliveries as the hot statements write them, many at once. */
export async function fillQueue(
  db: Database,
  merchantId: string,
  endpointIds: readonly string[],
  count: number,
  now: Date,
): Promise<void> {
  const filler = 'x'.repeat(600);
  await db`
    with event as (
      select 'evt_01M0000000' || upper(lpad(to_hex((random() * 1e9)::bigint), 8, '0')) || lpad(n::text, 8, '0') as event_id
      from generate_series(1, ${count}) n
    ), message as (
      insert into webhook_messages (event_id, merchant_id, type, body, created_at)
      select event_id, ${merchantId}, 'connection.created',
             '{"id":"' || event_id || '","type":"connection.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"connection":{"filler":"${db.unsafe(filler)}"}}}', ${now}
      from event
    )
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select 'whd_' || substr(event_id, 5, 10) || upper(substr(md5(event_id || endpoint_id), 1, 16)),
           endpoint_id, ${merchantId}, event_id, 'connection.created', 1, 'pending', ${now}, ${now}
    from event cross join unnest(${[...endpointIds]}::text[]) endpoint_id`;
  await db`analyze webhook_deliveries`;
}

/** Answers the processor time it took, in seconds. */
export async function runBareLoop(
  url: string,
  count: number,
  inFlight: number,
  body: string,
): Promise<number> {
  const child = spawn(process.execPath, [here('bare-loop.mjs'), url, String(count), String(inFlight), body]);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the bare loop ended with ${code}`);
  return Number(text);
}

/** Processor time of a process so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function databaseCpuSeconds(db: Database): Promise<number> {
  const rows = await db<
    { pid: number }[]
  >`select pid from pg_stat_activity where datname = current_database()`;
  return rows.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}
