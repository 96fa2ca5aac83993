import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { linkHash } from './chain.ts';
import {
  appendLinks,
  type ChainHead,
  hasQueued,
  publishHead,
  readHead,
  takeHead,
  takeQueued,
} from './chain-sql.ts';

/** Small, as in the transparency log: concurrent calls wait for it. */
const BATCH = 100;

/**
 * Links every committed entry. In the background, because acts of different tenants would otherwise wait for each other
 * at the head of the chain.
 */
export const chainJob: Job = {
  name: 'audit-chain',
  everyMs: SECOND_MS,
  async run(context: Context) {
    const now = context.clock.now();
    if (!(await hasQueued(context.db)) && !isPublicationDue(await readHead(context.db), now)) return false;
    const linked = await extendChain(context, now);
    return linked === BATCH && !context.stopping.aborted;
  },
};

async function extendChain({ db }: Context, now: Date): Promise<number> {
  return transaction(db, async (tx) => {
    const head = await takeHead(tx);
    if (!head) return 0;
    let { position, hash } = head;
    const rows = await takeQueued(tx, BATCH);
    const links = rows.map((row) => {
      position += 1;
      hash = linkHash(hash, row);
      return { position, hash, audit_event_id: row.audit_event_id, linked_at: now };
    });
    await appendLinks(tx, links);
    if (isPublicationDue({ ...head, position }, now)) await publishHead(tx, now);
    return rows.length;
  });
}

/** Once a minute, whether or not anything happened, so that the time of a publication reveals no one's acts. */
function isPublicationDue({ position, published_at: last }: ChainHead, now: Date): boolean {
  return position > 0 && (last === null || minuteOf(last) !== minuteOf(now));
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / MINUTE_MS);
}
