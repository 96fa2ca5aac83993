import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../crowd.ts';
import { type Load, type LoadOptions, startLoad, type Told } from './load.ts';
import type { Site } from './site.ts';

/** The result of a run besides the responses its clients got. */
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
  /** On a separate site, with a separate database. */
  alone?: boolean;
}

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

/** Calls without a pause from before the start on. From `/ready` on nothing but 200 is right. */
export async function knockWhile(
  url: string,
  work: (isReady: () => void) => Promise<void>,
  isRight: (answer: Response) => boolean = () => true,
): Promise<{ early: number; answered: number; faults: string[] }> {
  const found = { early: 0, answered: 0, faults: [] as string[] };
  let [ready, isOver] = [false, false];
  const knock = async () => {
    while (!isOver) {
      const promised = ready;
      const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.status === 200) found.answered += 1;
      else if (promised) found.faults.push(`after /ready: ${answer?.status ?? 'no response'}`);
      else if (answer && !isRight(answer)) found.faults.push(`before /ready: ${answer.status}`);
      else if (answer) found.early += 1;
      else await pause(20);
    }
  };
  const knocking = Promise.all(Array.from({ length: 8 }, knock));
  try {
    await work(() => {
      ready = true;
    });
  } finally {
    isOver = true;
    await knocking;
  }
  return found;
}
