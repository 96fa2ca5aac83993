import {
  completeSubtrees,
  consistencyRanges,
  foldPairs,
  inclusionRanges,
  joinSubtrees,
  type Range,
  stretchOf,
} from '@payassent/protocol/log';
import type { Sql } from '../../db/open.ts';
import { readStretches } from './log-sql.ts';

/** The proof that the entry is in the tree of this size. */
export async function proveInclusion(sql: Sql, position: number, size: number): Promise<Uint8Array[]> {
  return hashRanges(sql, inclusionRanges(position, size));
}

/** The proof that the tree of `newSize` begins with the tree of `oldSize`. */
export async function proveConsistency(sql: Sql, oldSize: number, newSize: number): Promise<Uint8Array[]> {
  return oldSize === 0 ? [] : hashRanges(sql, consistencyRanges(oldSize, newSize));
}

/** The root of an earlier tree. */
export async function rootAt(sql: Sql, size: number): Promise<Uint8Array> {
  const [root] = await hashRanges(sql, [{ start: 0, end: size }]);
  if (!root) throw new Error('A tree without leaves is not stored.');
  return root;
}

/**
 * The hash of each range, from the hashes of tiles in one statement. Each range splits into few complete subtrees, and
 * a subtree into at most 128 hashes of one tile, so the work grows with the height of the tree alone.
 */
async function hashRanges(sql: Sql, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const subtrees = ranges.map((range) => completeSubtrees(range).map(stretchOf));
  const found = (await readStretches(sql, subtrees.flat())).map(foldPairs);
  return subtrees.map((parts) => joinSubtrees(found.splice(0, parts.length)));
}
