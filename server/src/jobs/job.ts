import type { Context } from '../context.ts';

/**
 * Work that no caller waits for. Claim, work outside any transaction, record; several processes may run it
 * concurrently.
 */
export interface Job {
  name: string;
  /** The longest pause between two turns. */
  everyMs: number;
  /** When absent, the first turn begins with the service. */
  firstAfterMs?: number;
  /** One bounded turn. `true` requests the next turn immediately, because more is waiting. */
  run(context: Context): Promise<boolean>;
}

/** The topic that starts a job's next turn early. */
export function jobTopic(name: string): string {
  return `job:${name}`;
}
