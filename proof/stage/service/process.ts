import { type SpawnedService, type SpawnOptions, spawnService } from '../../../cli/src/dev/service.ts';
import type { Env } from '../../../server/src/config/index.ts';
import { type Caller, createCaller } from './client.ts';

/** The compiled service in a process of its own: for races between processes, crashes and signals. */
export interface ServiceProcess extends SpawnedService {
  call: Caller;
}

export async function startProcess(env: Env, options: SpawnOptions = {}): Promise<ServiceProcess> {
  const service = await spawnService(env, options);
  return { ...service, call: createCaller(service.address) };
}
