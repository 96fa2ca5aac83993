import {
  completeSubtrees,
  inclusionRanges,
  leafHash,
  stretchOf,
  verifyInclusion,
} from '../../../protocol/src/log/index.ts';
import type { Context } from '../../../server/src/context.ts';
import { integrateJob } from '../../../server/src/features/transparency-log/integrate-job.ts';
import { proveInclusion, rootAt } from '../../../server/src/features/transparency-log/prove.ts';
import { watching } from '../../stage/faults/processes.ts';
import { type Bench, noteGrowth } from '../bench.ts';
import type { BenchDatabase } from '../ground/databases.ts';

const MARKS = [1_000, 10_000, 100_000, 1_000_000];
/** Queued together, as in a busy service. */
const CHUNK = 5_000;
const PROOFS = 500;

/** What an entry and a proof cost while the transparency log grows: processor time and counts, which no neighbour changes. */
export async function measureLog(bench: Bench): Promise<void> {
  const database = await bench.cluster.createDatabase('for_log');
  const marks = bench.settings.isQuick ? MARKS.slice(0, 2) : MARKS;
  let size = 0;
  for (const mark of marks) {
    while (size < mark) size += await appendSome(database, Math.min(CHUNK, mark - size));
    const stored = () => `${size.toLocaleString('en')} entries`;
    const before = stored();
    const appending = await perCall(bench, CHUNK, async () => {
      size += await appendSome(database, CHUNK);
    });
    noteGrowth(
      bench,
      `append, ${before}`,
      appending,
      `processor time an entry, ${CHUNK.toLocaleString('en')} entries`,
    );
    const places = Array.from({ length: PROOFS }, (_, n) => Math.floor(((n + 0.5) * size) / PROOFS));
    const proving = await perCall(bench, PROOFS, () => proveAll(database, places, size));
    noteGrowth(
      bench,
      `proof, ${stored()}`,
      `${proving}; ${hashesRead(places, size).toFixed(0)} hashes read`,
      `${PROOFS} proofs all over the tree, each verified`,
    );
  }
}

async function appendSome({ sql }: BenchDatabase, count: number): Promise<number> {
  await sql`
    insert into log_queue (type, at, subject, content)
    select 'decision', now(), 'request bench ' || gen_random_uuid(), json_build_object('n', n)
    from generate_series(1, ${count}::int) n`;
  const context = { db: sql, stopping: { aborted: false } } as unknown as Context;
  while (await integrateJob.run(context));
  return count;
}

async function proveAll({ sql }: BenchDatabase, places: readonly number[], size: number): Promise<void> {
  const root = await rootAt(sql, size);
  const entries = await sql<{ entry: string }[]>`
    select entry from log_entries where position = any(${[...places]}::bigint[]) order by position`;
  for (const [n, place] of places.entries()) {
    const leaf = leafHash(Buffer.from(entries[n]?.entry ?? '', 'utf8'));
    if (!verifyInclusion(leaf, place, size, await proveInclusion(sql, place, size), root))
      throw new Error(`the proof of entry ${place} of ${size} does not hold`);
  }
}

/** The average number of rows that one proof reads. */
function hashesRead(places: readonly number[], size: number): number {
  const each = places.map((place) =>
    inclusionRanges(place, size)
      .flatMap(completeSubtrees)
      .reduce((sum, subtree) => sum + stretchOf(subtree).count, 0),
  );
  return each.reduce((sum, count) => sum + count, 0) / each.length;
}

async function perCall(bench: Bench, calls: number, work: () => Promise<void>): Promise<string> {
  const { cpuMs } = await watching([process.pid, bench.cluster.pid], work);
  const [ours = 'not known', database] = cpuMs.map((ms) => ms && `${(ms / calls).toFixed(3)} ms`);
  return `${ours} service${database ? `, ${database} PostgreSQL` : ''}`;
}
