import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import type { Machine } from './report/model.ts';
import { type BenchDatabase, bareDriver, type Cluster } from './stage/postgres.ts';

export async function describeMachine(cluster: Cluster, database: BenchDatabase): Promise<Machine> {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    arch: arch(),
    platform: platform(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: cluster.version,
    settings: cluster.settings,
    commitMs: await measureCommit(database),
  };
}

/** The disk decides more than anything else what a commit costs. */
async function measureCommit(database: BenchDatabase): Promise<number> {
  const sql = bareDriver(database.target, 1);
  await sql`create table commits (n int)`;
  for (let n = 0; n < 20; n += 1) await sql`insert into commits values (${n})`;
  const count = 200;
  const startedMs = performance.now();
  for (let n = 0; n < count; n += 1) await sql`insert into commits values (${n})`;
  const commitMs = (performance.now() - startedMs) / count;
  await sql`drop table commits`;
  await sql.end();
  return commitMs;
}

export function loadAverage(): number {
  return loadavg()[0] ?? Number.NaN;
}
