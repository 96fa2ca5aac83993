import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '@payassent/world';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../server/src/db/open.ts';
import { succeed, type TestMerchant, verifiedMerchant } from '../../stage/people/merchants.ts';
import { createEndpoint, type TestEndpoint } from '../../stage/people/webhooks.ts';
import { type ServiceProcess, startProcess } from '../../stage/service/process.ts';
import { serviceForTest, type TestService } from '../../stage/service/service.ts';

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
