import { encodeBase64Url, parseExactJson } from '@payassent/protocol';
import type { EntryType } from '@payassent/protocol/evidence';
import { formatLogProof } from '@payassent/protocol/log';
import type { Sql } from '../../db/open.ts';
import { checkpointFor, type LogSigner } from './checkpoint.ts';
import { type MadeEntry, makeEntry } from './entry-text.ts';
import { findEntries, findQueued } from './log-sql.ts';
import { proveInclusion } from './prove.ts';

/** An entry in the form of a bundle. */
interface BundledEntry {
  entry: string;
  salt?: string;
  content?: unknown;
  proof?: string;
  pending?: true;
}

export interface FoundEntry {
  type: EntryType;
  bundled: BundledEntry;
}

/** Every entry about these subjects, in the order of the log, each with its proof; queued ones come last. */
export async function entriesOf(
  sql: Sql,
  log: LogSigner,
  subjects: readonly string[],
): Promise<FoundEntry[]> {
  // The queue is read first: an entry that is integrated in between is found twice, never lost.
  const waiting = await findQueued(sql, subjects);
  const placed = await findEntries(sql, subjects);
  const found: FoundEntry[] = [];
  for (const { position, ...made } of placed)
    found.push({
      type: made.type,
      bundled: { ...bundledOf(made), proof: await proofOf(sql, log, position) },
    });
  const known = new Set(placed.map(({ entry }) => entry));
  for (const made of waiting.map(makeEntry)) {
    if (known.has(made.entry)) continue;
    known.add(made.entry);
    found.push({ type: made.type, bundled: { ...bundledOf(made), pending: true } });
  }
  return found;
}

async function proofOf(sql: Sql, log: LogSigner, position: number): Promise<string> {
  const { size, checkpoint } = await checkpointFor(sql, log, position);
  return formatLogProof({ index: position, hashes: await proveInclusion(sql, position, size), checkpoint });
}

function bundledOf({ entry, salt, content }: MadeEntry): BundledEntry {
  if (salt === null || content === null) return { entry };
  return { entry, salt: encodeBase64Url(salt), content: parseExactJson(content) };
}
