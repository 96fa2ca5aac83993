import { type SpawnedService, type SpawnOptions, spawnService } from '../../../cli/src/dev/service.ts';
import type { Env } from '../../../server/src/config/index.ts';
import { type Caller, createCaller } from './client.ts';

/** The compiled service in a separate process: for races between processes, crashes and signals. */
export interface ServiceProcess extends SpawnedService {
  call: Caller;
}

/** Only a start that hangs takes so long: on a machine under load one second of work takes a minute. */
const READY_WITHIN_MS = 180_000;

export async function startProcess(env: Env, options: SpawnOptions = {}): Promise<ServiceProcess> {
  const service = await spawnService(env, { readyWithinMs: READY_WITHIN_MS, ...options });
  return { ...service, call: createCaller(service.address) };
}
