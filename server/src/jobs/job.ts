import type { Context } from '../context.ts';

/** Work that no caller waits for. Claim, work outside any transaction, record; several processes may run it at once. */
export interface Job {
  name: string;
  /** The longest pause between two turns. */
  everyMs: number;
  /** Left out, the first turn begins with the service. */
  firstAfterMs?: number;
  /** One bounded turn. `true` asks for the next turn at once, because more is waiting. */
  run(context: Context): Promise<boolean>;
}

/** The topic that starts a job's next turn early. */
export function jobTopic(name: string): string {
  return `job:${name}`;
}
