import type { Database } from '../../server/src/db/open.ts';
import { isDistributedRun } from './layout.ts';

/** Changes rows that triggers keep final, which the service itself cannot do. The statement calls the table `%s`. */
export async function changeFinal(db: Database, table: string, change: string): Promise<void> {
  const statements = ['alter table %s disable trigger user', change, 'alter table %s enable trigger user'];
  if (!isDistributedRun) {
    await db.unsafe(statements.map((text) => text.replaceAll('%s', table)).join('; '));
    return;
  }
  for (const text of statements) {
    const rows = await db<{ success: boolean; result: string }[]>`
      select success, result from run_command_on_shards(${table}, ${text})`;
    const failed = rows.find(({ success }) => !success);
    if (failed) throw new Error(failed.result);
  }
}
