import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAddress } from './address.ts';

/**
 * Identifies a database. Servers copied from each other have the same system identifier; each promotion begins the next
 * timeline, and a previous primary that runs again is still on the one before.
 */
export interface Lineage {
  system: string;
  timeline: number;
}

/** As columns of a statement; null on a standby. */
export const LINEAGE_COLUMNS = `
  (select system_identifier::text from pg_control_system()) as system,
  case when not pg_is_in_recovery()
    then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`;

/** What this process, and previous ones with the same data folder, know of the database's lineage. */
export interface LineageMemory {
  /** Undefined until a server has reported it; some services that speak PostgreSQL's protocol never do. */
  readonly known: Lineage | undefined;
  /** Rejects a lineage that has gone back, and records one that has advanced. */
  judge(found: Lineage): Error | undefined;
}

interface Remembered extends Lineage {
  /** Its address, without user and password. */
  place: string;
}

export function lineageFileOf(dataDir: string): string {
  return join(dataDir, 'database.json');
}

export function openLineageMemory(url: string, file: string): LineageMemory {
  const place = placeOf(url);
  let known = read(file);
  return {
    get known() {
      return known;
    },
    judge({ system, timeline }) {
      if (known?.system === system && timeline < known.timeline)
        return gone(known, { system, timeline }, file);
      // Another address is a deliberate change, and the database there may be another one.
      if (known && known.system !== system && known.place === place)
        return gone(known, { system, timeline }, file);
      if (known?.system === system && known.timeline === timeline && known.place === place) return undefined;
      known = { system, timeline, place };
      write(file, known);
      return undefined;
    },
  };
}

function gone(known: Lineage, found: Lineage, file: string): Error {
  const todo = `stop the service, remove ${file} on each of its machines, and start it again`;
  const message =
    known.system === found.system
      ? `The server is on timeline ${found.timeline} of the database, which has gone on to timeline ${known.timeline}: it is ` +
        'a previous primary, and lacks what was acknowledged since. Stop it, let DATABASE_URL lead to the present primary, ' +
        `and make a new standby of it. If it was restored on purpose: ${todo}.`
      : `The server has another database (system identifier ${found.system}) than the one that the service knows at this ` +
        `address (${known.system}). Let DATABASE_URL lead to that one. If it was restored or upgraded on purpose: ${todo}.`;
  return Object.assign(new Error(message), { code: 'OTHER_DATABASE' });
}

function placeOf(text: string): string {
  const { url, hosts = [] } = parseAddress(text) ?? {};
  const socket = url?.searchParams.get('host');
  return `${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}${url?.pathname}${socket ? `?host=${socket}` : ''}`;
}

function read(file: string): Remembered | undefined {
  try {
    const { system, timeline, place } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Remembered>;
    return typeof system === 'string' && typeof timeline === 'number' && typeof place === 'string'
      ? { system, timeline, place }
      : undefined;
  } catch {
    return undefined;
  }
}

/** A read-only folder only costs the record between two starts. */
function write(file: string, remembered: Remembered): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(remembered)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}
