import type { Context } from '../context.ts';
import type { Database } from '../db/open.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import type { Job } from './job.ts';

/** What a feature forgets, and when. `purge` deletes at most `limit` rows and answers how many it deleted. */
export interface RetentionRule {
  name: string;
  purge(db: Database, now: Date, limit: number): Promise<number>;
}

const BATCH = 500;

/** One job for all rules, in bounded batches, so that a long absence never becomes one long delete. */
export function retentionJob(rules: readonly RetentionRule[]): Job {
  return {
    name: 'retention',
    everyMs: 5 * MINUTE_MS,
    async run(context: Context) {
      let more = false;
      for (const rule of rules) {
        const deleted = await rule.purge(context.db, context.clock.now(), BATCH);
        if (deleted === BATCH) more = true;
      }
      return more;
    },
  };
}
