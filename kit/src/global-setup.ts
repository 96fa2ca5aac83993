import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { SQL_FOLDER } from '../../server/src/context.ts';
import { driverOptions, startEmbeddedPostgres } from '../../server/src/db/embedded/index.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { partitionTables } from '../../server/src/maintenance/partitions/index.ts';
import { watchStatuses } from './status-watch.ts';

export interface TestCluster {
  host: string;
  port: number;
  username: string;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

export const TEMPLATE = 'svc_template';

/**
 * One real PostgreSQL for the whole run, with one migrated database that every test file clones. With SVC_TEST_PARTITIONS
 * that database has so many partitions.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { user, database, ...place } = driverOptions(embedded);
  const cluster: TestCluster = { ...place, username: user };
  const admin = openDatabase({ ...cluster, database }, { pool: 1, patient: true });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await admin.end();
  const template = openDatabase({ ...cluster, database: TEMPLATE }, { pool: 1, patient: true });
  await migrate(template, SQL_FOLDER);
  const partitions = Number(process.env['SVC_TEST_PARTITIONS'] ?? 0);
  if (partitions > 0) await partitionTables(template, partitions);
  await watchStatuses(template);
  await template.end();
  project.provide('cluster', cluster);
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
