import type { RetentionRule } from '../jobs/retention.ts';
import { addMs } from '../lib/clock.ts';

/**
 * The plain rule: deletes rows whose `time` is longer ago than this, the oldest first. `key` identifies a row of the
 * table.
 */
export function forgetAfter(
  ageMs: number,
  { name, table, key, time = 'expires_at' }: { name: string; table: string; key: string; time?: string },
): RetentionRule {
  return {
    name,
    tables: [table],
    async purge(db, now, limit) {
      const [rows, keys, moment] = [db.unsafe(table), db.unsafe(key), db.unsafe(time)];
      const result = await db`
        delete from ${rows} where (${keys}) in (
          select ${keys} from ${rows} where ${moment} < ${addMs(now, -ageMs)} order by ${moment} limit ${limit})`;
      return result.count;
    },
  };
}
