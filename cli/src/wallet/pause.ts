import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulation } from './simulation.ts';

/** Before every step, when the simulation is slow. */
export async function pause({ slowMs, signal }: Simulation): Promise<void> {
  if (slowMs > 0) await sleep(slowMs, undefined, { signal });
}
