/*
 * Races of many callers over two processes, each with a check of what is stored afterwards: short in the suite of the
 * service, with full figures in `npm run torture -- --suite races`. Only these two import it.
 */

import type { Caller } from '../service/client.ts';
import { type ServiceProcess, startProcess } from '../service/process.ts';
import { freePort, type TestService } from '../service/service.ts';

/** Two service processes on one database, next to the one in the test itself. */
export interface Pair {
  processes: readonly ServiceProcess[];
  /** Calls go to the two in turn. */
  call: Caller;
  close(): Promise<void>;
}

export async function startPair(service: TestService): Promise<Pair> {
  const processes = await Promise.all([startBeside(service), startBeside(service)]);
  let turn = 0;
  return {
    processes,
    call: (method, path, sent) => {
      turn += 1;
      const process = processes[turn % processes.length];
      if (!process) throw new Error('no process to call');
      return process.call(method, path, sent);
    },
    async close() {
      await Promise.all(processes.map((process) => process.end()));
    },
  };
}

export async function startBeside(service: TestService): Promise<ServiceProcess> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  return startProcess({ ...service.env, SVC_PORT: String(port), SVC_BASE_URL: base });
}

/** Runs a number of workers side by side until all are done. */
export async function sideBySide(workers: number, work: (worker: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_none, worker) => work(worker)));
}
