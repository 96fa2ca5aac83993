import { setTimeout as pause } from 'node:timers/promises';
import { grow, leafHash } from '@payassent/protocol/log';
import type { Context } from '../../context.ts';
import { type Database, transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { statementsOf } from '../../storage/index.ts';
import { makeEntry } from './entry-text.ts';
import { hasQueued, storeGrowth, takeEdge, takeQueued } from './log-sql.ts';

/**
 * Few at a time and several times a second while entries come: half a thousand at once kept the calls that arrived
 * meanwhile waiting for 50 ms (docs/decisions/0007-speed.md).
 */
const BATCH = 100;
const PAUSE_MS = 100;
/** What is on nodes only moves into the queue, which costs this process little. */
const FROM_NODES = 500;

/**
 * Gives every committed entry its place in the tree, within two seconds. By one process at a time, the one that holds
 * the head: its lock ends with its connection, so a process that is killed leaves nothing behind, and what it had not
 * committed was never published. Checkpoints are made from the committed head alone.
 */
export const integrateJob: Job = {
  name: 'transparency-log',
  everyMs: SECOND_MS,
  async run(context: Context) {
    if (!(await hasQueued(context.db))) return false;
    const integrated = await integrate(context);
    if (integrated === 0) return false;
    if (integrated < BATCH)
      await pause(PAUSE_MS, undefined, { signal: context.stopping }).catch(() => undefined);
    return !context.stopping.aborted;
  },
};

async function integrate({ db }: Context): Promise<number> {
  return transaction(db, async (tx) => {
    const edge = await takeEdge(tx);
    if (!edge) return 0;
    await statementsOf(tx).outbox?.take(tx, FROM_NODES);
    const entries = (await takeQueued(tx, BATCH)).map(makeEntry);
    if (entries.length === 0) return 0;
    const leaves = entries.map(({ entry }) => leafHash(Buffer.from(entry, 'utf8')));
    const grown = grow(edge, leaves);
    await storeGrowth(tx, { from: edge.size, entries, ...grown });
    return entries.length;
  });
}

/** For a backup, while nobody is at work: all that the nodes have for the log is in its queue afterwards. */
export async function emptyOutbox(db: Database): Promise<void> {
  const { outbox } = statementsOf(db);
  while (outbox && (await transaction(db, (tx) => outbox.take(tx, FROM_NODES))) === FROM_NODES);
}
