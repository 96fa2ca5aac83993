import { formatCheckpoint, formatNote, rootOf, signNote } from '@payassent/protocol/log';
import type { Sql } from '../../db/open.ts';
import type { Keys } from '../../lib/keys.ts';
import { signingKeys } from '../../signing-keys.ts';
import { readEdge } from './log-sql.ts';
import { logOrigin } from './origin.ts';
import { rootAt } from './prove.ts';
import { readCosignatures } from './witness-sql.ts';

export interface LogParts {
  baseUrl: string;
  keys: Keys;
}

/** The text that log and witnesses sign, for a tree of this size. */
export function checkpointText(baseUrl: string, size: number, root: Uint8Array): string {
  return formatCheckpoint({ origin: logOrigin(baseUrl), size, root });
}

/**
 * The newest checkpoint with the cosignatures that it has by now. Always from the committed head: the same size has the
 * same root whichever process answers, and signatures of this kind are the same each time.
 */
export async function currentCheckpoint(sql: Sql, parts: LogParts): Promise<string> {
  const [edge, cosignatures] = await Promise.all([
    readEdge(sql),
    readCosignatures(sql, logOrigin(parts.baseUrl)),
  ]);
  const text = checkpointText(parts.baseUrl, edge.size, rootOf(edge));
  return withSignatures(
    text,
    parts,
    cosignatures.filter(({ size }) => size === edge.size).map(({ line }) => line),
  );
}

/** The checkpoint under which an entry is shown: one that witnesses have cosigned, where there is one. */
export async function checkpointFor(
  sql: Sql,
  parts: LogParts,
  position: number,
): Promise<{ size: number; checkpoint: string }> {
  const cosignatures = await readCosignatures(sql, logOrigin(parts.baseUrl));
  const sizes = cosignatures.map(({ size }) => size).filter((size) => size > position);
  const witnessesAt = (size: number) => cosignatures.filter((cosigned) => cosigned.size === size);
  const [best] = sizes.sort((a, b) => witnessesAt(b).length - witnessesAt(a).length || b - a);
  const size = best ?? (await readEdge(sql)).size;
  const text = checkpointText(parts.baseUrl, size, await rootAt(sql, size));
  return {
    size,
    checkpoint: withSignatures(
      text,
      parts,
      witnessesAt(size).map(({ line }) => line),
    ),
  };
}

/** The last one of each key, because most readers ask for the same: signing takes a millisecond. */
const lastSigned = new WeakMap<Keys, { text: string; line: string }>();

export function withSignatures(text: string, { baseUrl, keys }: LogParts, others: readonly string[]): string {
  let last = lastSigned.get(keys);
  if (last?.text !== text) {
    last = { text, line: signNote(text, logOrigin(baseUrl), signingKeys(keys).log.seed) };
    lastSigned.set(keys, last);
  }
  return formatNote(text, [last.line, ...others]);
}
