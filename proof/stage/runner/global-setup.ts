/*
 * How vitest runs here: one PostgreSQL for all files here, their order, the report of what was left out and why. Configurations
 * import it, and tests of the runner itself. A run without any option needs nothing that is installed by hand.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { driverOptions, startEmbeddedPostgres } from '../../../server/src/db/embedded/index.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../../server/src/db/open.ts';
import { prepareRoles } from '../../../server/src/db/roles/index.ts';
import { distributeDatabase } from '../../../server/src/maintenance/distribution/index.ts';
import { partitionTables } from '../../../server/src/maintenance/partitions/index.ts';
import { missingParts, startCitus } from '../database/citus.ts';
import { isDistributedRun } from '../database/layout.ts';
import { watchStatuses } from '../database/status-watch.ts';
import { useMemoryForTemporaryFiles } from './memory-folder.ts';

export interface TestCluster {
  host: string;
  port: number;
  username: string;
  password: string;
  /** Of machines with a part of each database, where it is distributed. */
  workerPorts: number[];
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

export const TEMPLATE = 'svc_template';
/** The same, with roles that may do what those of a service may. */
export const GRANTED_TEMPLATE = 'svc_template_granted';

const CITUS_OWNER = 'postgres';

/** Few, because every database of a test has them all. */
const SHARDS = 4;

/**
 * One real PostgreSQL for the whole run, with one migrated database that every test file clones. With SVC_TEST_PARTITIONS
 * that database has so many partitions; with SVC_TEST_CITUS it is distributed over a coordinator and two workers.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const releaseMemory = await useMemoryForTemporaryFiles();
  const { cluster, stop } = isDistributedRun ? await startDistributed() : await startSingle();
  const template = openDatabase({ ...adminOf(cluster), database: TEMPLATE }, { pool: 1, patient: true });
  await migrate(template, SQL_FOLDER);
  const partitions = Number(process.env['SVC_TEST_PARTITIONS'] ?? 0);
  if (partitions > 0) await partitionTables(template, partitions);
  if (cluster.workerPorts.length === 0) await watchStatuses(template);
  if (cluster.workerPorts.length > 0) await distributeDatabase(template, { shards: SHARDS });
  await template.end();
  if (cluster.workerPorts.length === 0) await makeGrantedTemplate(cluster);
  project.provide('cluster', cluster);
  return async () => {
    await stop();
    await releaseMemory();
  };
}

/** What `createDatabase` lets the roles of a clone inherit. */
async function makeGrantedTemplate(cluster: TestCluster): Promise<void> {
  const admin = openDatabase(adminOf(cluster), { pool: 1, patient: true });
  await admin.unsafe(`create database ${GRANTED_TEMPLATE} template ${TEMPLATE}`);
  await admin.end();
  const target = { ...adminOf(cluster), database: GRANTED_TEMPLATE };
  const template = openDatabase(target, { pool: 1, patient: true });
  const roles = await prepareRoles(template, {
    target,
    folder: SQL_FOLDER,
    keyIds: ['template'],
    passwordFor: () => 'no service works on the template',
  });
  await template.end();
  if (roles.kind !== 'separate') throw new Error(`The template got no roles: ${roles.why}`);
}

/** Where databases are made and dropped. */
export function adminOf(cluster: TestCluster, port = cluster.port): ConnectionTarget {
  return { ...placeOf(cluster), port, database: 'postgres' };
}

export const placeOf = ({ workerPorts: _, ...place }: TestCluster) => place;

interface Started {
  cluster: TestCluster;
  stop(): Promise<void>;
}

async function startSingle(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { user, database, ...place } = driverOptions(embedded);
  const cluster: TestCluster = { ...place, username: user, workerPorts: [] };
  const admin = openDatabase({ ...placeOf(cluster), database }, { pool: 1, patient: true });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await makeLoginCheap(admin, cluster);
  await admin.end();
  return {
    cluster,
    async stop() {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Each service logs in as owner seven times: with the usual 4,096 rounds that is a tenth of what its start costs. */
async function makeLoginCheap(admin: Database, { username, password }: TestCluster): Promise<void> {
  await admin.unsafe(`set scram_iterations = 1; alter role "${username}" password '${password}'`);
}

async function startDistributed(): Promise<Started> {
  const missing = missingParts();
  if (missing !== undefined) throw new Error(missing);
  const { coordinator, workers, stop } = await startCitus({
    database: TEMPLATE,
    // Each database has a process of Citus on each machine, and each connection to the coordinator some to the workers.
    settings: ['max_worker_processes=100', 'max_connections=400', 'citus.enable_stat_counters=on'],
  });
  const place = { host: '127.0.0.1', port: coordinator.port, username: CITUS_OWNER, password: 'trusted' };
  const cluster = { ...place, workerPorts: workers.map(({ port }) => port) };
  return { cluster, stop: async () => stop() };
}
