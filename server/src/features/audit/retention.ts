import { type Database, transaction } from '../../db/open.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { linkHash } from './chain.ts';
import { entryOf, type LinkedEntry, lockHead, readLinks } from './chain-sql.ts';

export const RETENTION_DAYS = 400;

/**
 * Forgets entries from the old end of the chain only, and keeps the hash of the last one removed: what is left can be
 * verified from there. It stops before a link that does not hold, so that no trace of a change is removed. The tables
 * refuse deletes; the setting lifts that within this transaction.
 */
export async function purgeAuditEvents(db: Database, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS);
  return transaction(db, async (tx) => {
    const head = await lockHead(tx);
    const links = await readLinks(tx, head.anchor_position, head.position, limit);
    const old = oldestOf(links, head.anchor_hash, before);
    const last = old.at(-1);
    if (!last) return 0;
    await tx`select set_config('svc.audit_retention', 'on', true)`;
    await tx`delete from audit_chain where position <= ${last.position}`;
    await tx`delete from audit_events where audit_event_id = any(${old.map((link) => link.audit_event_id)}::text[])`;
    await tx`update audit_chain_head set anchor_position = ${last.position}, anchor_hash = ${last.hash}`;
    return old.length;
  });
}

function oldestOf(links: readonly LinkedEntry[], anchor: Buffer, before: Date): LinkedEntry[] {
  const old: LinkedEntry[] = [];
  let previous = anchor;
  for (const link of links) {
    const entry = entryOf(link);
    if (!entry || !linkHash(previous, entry).equals(link.hash)) break;
    // By the time of its link too: one entry from a clock that ran ahead must not keep all later ones for ever.
    if (entry.occurred_at >= before && link.linked_at >= before) break;
    old.push(link);
    previous = link.hash;
  }
  return old;
}
