import { type Database, type Tx, transaction } from '../../db/open.ts';
import { forgetRanges } from '../../jobs/ranges.ts';
import { RETENTION } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { linkHash } from './chain.ts';
import { entryOf, type LinkedEntry, lockHead, readLinks } from './chain-sql.ts';

export const RETENTION_DAYS = RETENTION.auditEvents.days;

/**
 * Deletes entries from the old end of the chain only, and keeps the hash of the last one removed: the rest can be
 * verified from there. It stops before a broken link, so that no trace of a change is removed. The service itself may
 * not delete from the tables: a function of the schema does, and by its own clock checks that the entries are old
 * enough.
 */
export async function purgeAuditEvents(db: Database, now: Date, limit: number): Promise<number> {
  const before = addMs(now, -RETENTION_DAYS * DAY_MS);
  const forgotten = await forgetFromChain(db, before, limit);
  // Entries left in a range are kept: only the chain decides about entries.
  const rows = (from: string, end: string) => db`
    select audit_event_id as id, true as is_kept from audit_events
    where audit_event_id >= ${from} and audit_event_id < ${end} order by audit_event_id`;
  const { isUnfinished } = await forgetRanges(db, { table: 'audit_events', rows }, before);
  return isUnfinished ? limit : forgotten;
}

function forgetFromChain(db: Database, asked: Date, limit: number): Promise<number> {
  return transaction(db, async (tx) => {
    const head = await lockHead(tx);
    const before = await readBorder(tx, asked);
    const links = await readLinks(tx, head.anchor_position, head.position, limit);
    const old = oldestOf(links, head.anchor_hash, before);
    const last = old.at(-1);
    if (!last) return 0;
    const [row] = await tx<{ count: number }[]>`select forget_audit_events(${last.position}) as count`;
    if (row?.count !== old.length) throw new Error('Fewer audit events were deleted than are old enough.');
    await tx`update audit_chain_head set anchor_position = ${last.position}, anchor_hash = ${last.hash}`;
    return old.length;
  });
}

/** Old by both clocks, ours and the database's. */
async function readBorder(tx: Tx, before: Date): Promise<Date> {
  const [row] = await tx<{ border: Date }[]>`
    select least(${before}::timestamptz, now() - make_interval(days => ${RETENTION_DAYS})) as border`;
  return row?.border ?? before;
}

function oldestOf(links: readonly LinkedEntry[], anchor: Buffer, before: Date): LinkedEntry[] {
  const old: LinkedEntry[] = [];
  let previous = anchor;
  for (const link of links) {
    const entry = entryOf(link);
    if (!entry || !linkHash(previous, entry).equals(link.hash)) break;
    // By the time of its link too: an entry from a fast clock must not keep all later ones forever.
    if (entry.occurred_at >= before && link.linked_at >= before) break;
    old.push(link);
    previous = link.hash;
  }
  return old;
}
