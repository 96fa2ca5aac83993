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
 * Small batches, several times a second while entries arrive: a batch of five hundred delayed concurrent calls by 50 ms
 * (docs/decisions/0007-speed.md).
 */
const BATCH = 100;
const PAUSE_MS = 100;
/** Entries on nodes are only moved into the queue, which costs this process little. */
const FROM_NODES = 500;

/**
 * Integrates every committed entry into the tree, within two seconds. By one process at a time, the one that has locked
 * the head: its lock ends with its connection, so a killed process leaves nothing behind, and what it had not committed
 * was never published. Checkpoints are made from the committed head alone.
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

/** For a backup, while no process writes: moves all entries of the nodes into the log's queue. */
export async function emptyOutbox(db: Database): Promise<void> {
  const { outbox } = statementsOf(db);
  while (outbox && (await transaction(db, (tx) => outbox.take(tx, FROM_NODES))) === FROM_NODES);
}
