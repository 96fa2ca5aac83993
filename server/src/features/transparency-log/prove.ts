import {
  completeSubtrees,
  consistencyRanges,
  inclusionRanges,
  joinSubtrees,
  nodeHash,
  type Range,
  TILE_WIDTH,
} from '@payassent/protocol/log';
import type { Sql } from '../../db/open.ts';
import { readStretches, type Stretch } from './log-sql.ts';

/** What shows that the entry is in the tree of this size. */
export async function proveInclusion(sql: Sql, position: number, size: number): Promise<Uint8Array[]> {
  return hashRanges(sql, inclusionRanges(position, size));
}

/** What shows that the tree of `newSize` begins with the tree of `oldSize`. */
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
 * The hash of each range, from the hashes of tiles in one statement. Each range falls into few complete subtrees, and a
 * subtree into at most 128 hashes of one tile, so the work grows with the height of the tree alone.
 */
async function hashRanges(sql: Sql, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const subtrees = ranges.map((range) => completeSubtrees(range).map(stretchOf));
  const found = (await readStretches(sql, subtrees.flat())).map(foldPairs);
  return subtrees.map((parts) => joinSubtrees(found.splice(0, parts.length)));
}

function stretchOf({ start, end }: Range): Stretch {
  const width = end - start;
  let level = 0;
  while (TILE_WIDTH ** (level + 1) <= width) level += 1;
  const unit = TILE_WIDTH ** level;
  return { level, first: start / unit, count: width / unit };
}

/** Up to the one hash of a complete subtree. */
function foldPairs(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < row.length; at += 2)
      above.push(nodeHash(row[at] as Uint8Array, row[at + 1] as Uint8Array));
    row = above;
  }
  return row[0] as Uint8Array;
}
