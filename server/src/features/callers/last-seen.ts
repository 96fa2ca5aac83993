import type { Database } from '../../db/open.ts';
import type { Writing } from '../../db/writing.ts';
import { MINUTE_MS, toTimestamp } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { createMemory } from '../../lib/memory.ts';

/**
 * When devices last called. No caller waits for it: calls of the same moment are written together, once a minute each.
 */
export interface LastSeen {
  note(tokenHash: string, now: Date): void;
  /** Resolves once what was noted here is stored. */
  stored(): Promise<void>;
}

interface Surroundings {
  serviceDb: Database;
  log: Logger;
  writing: Writing;
}

const MAX_REMEMBERED = 50_000;
const GATHERED_FOR_MS = 200;

/** One per service in this process. */
export function createLastSeen({ serviceDb, log, writing: commits }: Surroundings): LastSeen {
  const minutes = createMemory<number>(MAX_REMEMBERED);
  let noted = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Kept for later: reads wait for no write.
    if (commits.state === 'refused') return Promise.resolve();
    const batch = noted;
    noted = new Map();
    if (batch.size === 0) return writing;
    writing = writing
      .then(() => store(serviceDb, batch))
      .catch((error) =>
        log.warn({ event: 'last_seen_unwritten', err: error }, 'not written when devices were last seen'),
      );
    return writing;
  };
  return {
    note(tokenHash, now) {
      const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
      if ((minutes.get(tokenHash) ?? 0) >= minute) return;
      minutes.set(tokenHash, minute);
      noted.set(tokenHash, new Date(minute));
      timer ??= setTimeout(write, GATHERED_FOR_MS).unref();
    },
    stored: write,
  };
}

/** Another process may have been faster. Rows are locked in the order of their ids, skipping those that are locked. */
async function store(db: Database, batch: ReadonlyMap<string, Date>): Promise<void> {
  await db`
    with seen as materialized (
      select d.device_id, s.at
      from unnest(${[...batch.keys()]}::text[], ${[...batch.values()].map(toTimestamp)}::timestamptz[]) as s(token_hash, at)
        join device_tokens t on t.token_hash = s.token_hash
        join devices d on d.device_id = t.device_id
      where d.last_seen_at is null or d.last_seen_at < s.at
      order by d.device_id for no key update of d skip locked)
    update devices d set last_seen_at = seen.at from seen where d.device_id = seen.device_id`;
}
