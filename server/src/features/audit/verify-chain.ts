import type { Database, Sql } from '../../db/open.ts';
import { GENESIS, hashText, linkHash } from './chain.ts';
import {
  type ChainHead,
  entryOf,
  findLostEntry,
  type LinkedEntry,
  readEntryStates,
  readHead,
  readLinks,
} from './chain-sql.ts';

const BATCH = 1000;

export interface ChainReport {
  /** The first problem; null when the whole chain is intact. */
  broken: string | null;
  head: string;
  links: number;
  /** Recent entries, which get their link within seconds. */
  waiting: number;
  /** Whether the requested head is on the chain; null when none was given. */
  head_found: boolean | null;
}

/** Recomputes every link from the current entries. In one snapshot, so that a running service has no effect. */
export async function verifyChain(db: Database, wanted?: string): Promise<ChainReport> {
  return db.begin('isolation level repeatable read read only', async (sql) => {
    const tx = sql as unknown as Sql;
    const head = await readHead(tx);
    const seen = new Set([wanted, head.published_hash ? hashText(head.published_hash) : undefined]);
    const walked = await walk(tx, head, seen);
    const rest = walked.broken === null ? await checkEntries(tx) : { broken: null, waiting: 0 };
    const broken = walked.broken ?? missingPublication(head, walked.found) ?? rest.broken;
    return {
      broken,
      head: hashText(head.hash),
      links: walked.links,
      waiting: rest.waiting,
      head_found: wanted === undefined ? null : walked.found.has(wanted),
    };
  });
}

interface Walked {
  broken: string | null;
  links: number;
  /** The requested hashes that are on the intact part of the chain. */
  found: Set<string>;
}

async function walk(sql: Sql, head: ChainHead, lookedFor: ReadonlySet<string | undefined>): Promise<Walked> {
  let previous = head.anchor_hash;
  let position = head.anchor_position;
  const found = new Set<string>();
  const note = (hash: Uint8Array) => {
    const text = hashText(hash);
    if (lookedFor.has(text)) found.add(text);
  };
  const links = () => position - head.anchor_position;
  if (!previous.equals(GENESIS)) note(previous);
  for (;;) {
    const batch = await readLinks(sql, position, head.position, BATCH);
    for (const link of batch) {
      const broken = faultOf(link, position + 1, previous);
      if (broken) return { broken, links: links(), found };
      position = link.position;
      previous = link.hash;
      note(previous);
    }
    if (batch.length < BATCH) break;
  }
  const ends = position === head.position && previous.equals(head.hash);
  const broken = ends ? null : `link ${position + 1} is missing: the chain ends before its head`;
  return { broken, links: links(), found };
}

function faultOf(link: LinkedEntry, expected: number, previous: Buffer): string | null {
  if (link.position !== expected) return `link ${expected} is missing`;
  const name = `link ${link.position} (${link.audit_event_id})`;
  const entry = entryOf(link);
  if (!entry) return `${name}: its entry has been deleted`;
  if (!linkHash(previous, entry).equals(link.hash))
    return `${name}: the entry or the order is not what it was when it was linked`;
  return null;
}

function missingPublication(head: ChainHead, found: ReadonlySet<string>): string | null {
  if (!head.published_hash || found.has(hashText(head.published_hash))) return null;
  // Nothing was written for so long that retention has removed the last published link.
  if (head.position === head.anchor_position) return null;
  return `the head that was last published, ${hashText(head.published_hash)}, is not on the chain`;
}

/** Every entry has its link or is queued for it. */
async function checkEntries(sql: Sql): Promise<{ broken: string | null; waiting: number }> {
  let waiting = 0;
  let after = '';
  for (;;) {
    const batch = await readEntryStates(sql, after, BATCH);
    const stray = batch.find((entry) => !entry.is_linked && !entry.is_queued);
    if (stray) return { broken: `${stray.audit_event_id} is in the trail and not on the chain`, waiting };
    waiting += batch.filter((entry) => !entry.is_linked).length;
    after = batch.at(-1)?.audit_event_id ?? after;
    if (batch.length < BATCH) break;
  }
  const lost = await findLostEntry(sql);
  const broken = lost === undefined ? null : `${lost} was deleted before it was linked`;
  return { broken, waiting };
}
