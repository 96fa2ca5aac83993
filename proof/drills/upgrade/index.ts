import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { readMigrations } from '../../../server/src/db/migrations.ts';
import { openDatabase } from '../../../server/src/db/open.ts';
import { load } from '../../../server/src/maintenance/backup/load.ts';
import { startPrimary } from '../../stage/database/servers.ts';
import { framesOf, readStored } from '../../stage/database/stored-database.ts';
import { temporaryFolder } from '../../stage/ending.ts';
import { count, describeMachine, publish, say, table, today } from '../../stage/report.ts';
import { ROOT } from '../../stage/root.ts';
import { SECOND } from '../crowd.ts';
import { startCalls } from './calls.ts';
import { fill } from './rows.ts';

const OLDEST = { file: 'server/test/fixtures/schema-0008.jsonl', schema: 8 };
const QUIET_MS = 10 * SECOND;
/** No call may wait longer because of an upgrade. */
const LONGEST_MS = 1 * SECOND;
const SHOWN = 8;

interface Turn {
  name: string;
  seconds: number;
  longestMs: number;
  kind: string;
}

/** 0 when an upgrade from the oldest schema makes no call wait for longer than a second. */
export async function upgradeDrill(options: {
  rows: number;
  released: boolean;
  publish: boolean;
}): Promise<number> {
  const folder = await temporaryFolder('drill-upgrade');
  const cluster = await startPrimary(join(folder, 'postgres'), {
    max_wal_size: '4GB',
    shared_buffers: '512MB',
  });
  const url = `postgres://postgres@127.0.0.1:${cluster.port}/postgres`;
  const owner = openDatabase({ url }, { pool: 1, patient: true });
  const sql = options.released ? await releasedForms(folder) : SQL_FOLDER;
  try {
    await load(owner, framesOf(readStored(join(ROOT, OLDEST.file))));
    await owner.unsafe('set statement_timeout = 0');
    await fill(owner, options.rows);
    say(`${count(options.rows)} rows at schema ${OLDEST.schema}`);
    const calls = await startCalls(url);
    await pause(QUIET_MS);
    const before = worst(calls.longest());
    const turns: Turn[] = [];
    for (const { name, number } of (await readMigrations(sql)).slice(OLDEST.schema)) {
      const startMs = performance.now();
      await migrate(owner, sql, number);
      const [kind, longestMs] = worst(calls.longest());
      turns.push({ name, seconds: (performance.now() - startMs) / SECOND, longestMs, kind });
      say(
        `${name}: ${turns.at(-1)?.seconds.toFixed(1)} s, longest call ${longestMs.toFixed(0)} ms (${kind})`,
      );
    }
    const faults = await calls.stop();
    const longest = Math.max(...turns.map(({ longestMs }) => longestMs));
    for (const fault of faults.slice(0, 5)) say(`    ! ${fault}`);
    const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
    say(
      `${count(calls.made())} calls in ${seconds.toFixed(0)} s: the longest ${longest.toFixed(0)} ms, before the upgrade ${before[1].toFixed(0)} ms; ${faults.length} errors`,
    );
    if (options.publish)
      await publish(
        'drills',
        'upgrade',
        markdownOf(options.rows, turns, before[1], calls.made(), faults.length),
      );
    return faults.length === 0 && longest <= LONGEST_MS ? 0 : 1;
  } finally {
    await owner.end({ timeout: 5 });
    await cluster.kill();
  }
}

function worst(longest: Readonly<Record<string, number>>): [kind: string, ms: number] {
  return Object.entries(longest).reduce<[string, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    ['', 0],
  );
}

/** Every migration as it was released, for comparison. */
async function releasedForms(folder: string): Promise<URL> {
  const copy = join(folder, 'released');
  await mkdir(copy);
  for (const file of (await readdir(SQL_FOLDER)).filter((name) => name.endsWith('.sql')))
    await cp(fileURLToPath(new URL(file, SQL_FOLDER)), join(copy, file));
  return pathToFileURL(`${copy}/`);
}

function markdownOf(
  rows: number,
  turns: readonly Turn[],
  beforeMs: number,
  made: number,
  faults: number,
): string {
  const longest = [...turns].sort((a, b) => b.longestMs - a.longestMs);
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  const cells = ({ name, seconds: took, longestMs, kind }: Turn) => [
    name,
    `${took.toFixed(1)} s`,
    `${longestMs.toFixed(0)} ms (${kind})`,
  ];
  return `${today()}, machine: ${describeMachine()}. ${count(rows)} rows, from schema ${OLDEST.schema} to ${OLDEST.schema + turns.length} in ${seconds.toFixed(0)} s. ${count(made)} calls meanwhile, ${faults} errors; the longest took ${longest[0]?.longestMs.toFixed(0)} ms, in the ten seconds before ${beforeMs.toFixed(0)} ms.

${table(['Migration', 'Took', 'Longest call'], longest.slice(0, SHOWN).map(cells))}`;
}
