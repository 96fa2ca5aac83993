import { setTimeout as pause } from 'node:timers/promises';
import { type Load, type LoadOptions, startLoad, type Told } from './load.ts';
import type { Site } from './site.ts';

/** What a run came to besides what its clients were told. */
export interface Outcome {
  told: readonly Told[];
  faults: string[];
  note?: string;
}

export interface Run {
  name: string;
  what: string;
  /** Why it cannot be done here. */
  missing?: () => string | undefined;
  run(site: Site): Promise<Outcome>;
  /** On a site of its own, with its own database. */
  alone?: boolean;
}

export const SECOND = 1_000;

export async function underLoad(
  site: Site,
  work: (load: Load) => Promise<string[] | undefined>,
  options: Partial<LoadOptions> = {},
): Promise<Outcome> {
  const load = startLoad({ url: site.url, stage: await site.stage(), ...options });
  await pause(2 * SECOND);
  try {
    const faults = (await work(load)) ?? [];
    await pause(2 * SECOND);
    return { told: [await load.stop()], faults };
  } catch (error) {
    await load.stop();
    throw error;
  }
}

/** A service for this run alone. */
export async function withService(
  site: Site,
  env: Record<string, string>,
  work: (service: Awaited<ReturnType<Site['start']>>) => Promise<Outcome>,
): Promise<Outcome> {
  const service = await site.start(env);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}
