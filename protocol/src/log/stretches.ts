import { completeSubtrees, consistencyRanges, joinSubtrees, nodeHash, type Range } from './merkle.ts';
import { TILE_WIDTH, tilePath, tileWidth } from './tiles.ts';

/** Neighbouring hashes of one tile that one complete subtree is made of. */
export interface Stretch {
  readonly level: number;
  /** The first one's place among all hashes of the level. */
  readonly first: number;
  readonly count: number;
}

/** Where the hashes of a complete subtree are stored: at most 128 of one tile. */
export function stretchOf({ start, end }: Range): Stretch {
  const width = end - start;
  let level = 0;
  while (TILE_WIDTH ** (level + 1) <= width) level += 1;
  const unit = TILE_WIDTH ** level;
  return { level, first: start / unit, count: width / unit };
}

/** Up to the one hash of a complete subtree. */
export function foldPairs(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < row.length; at += 2)
      above.push(nodeHash(row[at] as Uint8Array, row[at + 1] as Uint8Array));
    row = above;
  }
  return row[0] as Uint8Array;
}

/** Reads a tile by its path, without the prefix. */
export type ReadTile = (path: string) => Promise<Uint8Array>;

const HASH_BYTES = 32;

/**
 * What shows that the tree of `newSize` begins with the tree of `oldSize`, put together by a reader of the log from its
 * tiles. Nothing here is believed: `verifyConsistency` judges it. One tile for each step of the tree's height at most.
 */
export async function readConsistency(
  oldSize: number,
  newSize: number,
  read: ReadTile,
): Promise<Uint8Array[]> {
  if (oldSize === 0 || oldSize === newSize) return [];
  const tiles = new Map<string, Promise<Uint8Array>>();
  const hashesOf = async ({ level, first, count }: Stretch): Promise<Uint8Array[]> => {
    const index = Math.floor(first / TILE_WIDTH);
    const path = tilePath({ level, index, width: tileWidth({ level, index }, newSize) });
    const reading = tiles.get(path) ?? read(path);
    tiles.set(path, reading);
    const tile = await reading;
    const from = first - index * TILE_WIDTH;
    return Array.from({ length: count }, (_, n) =>
      tile.subarray((from + n) * HASH_BYTES, (from + n + 1) * HASH_BYTES),
    );
  };
  return Promise.all(
    consistencyRanges(oldSize, newSize).map(async (range) =>
      joinSubtrees(
        await Promise.all(
          completeSubtrees(range).map(async (subtree) => foldPairs(await hashesOf(stretchOf(subtree)))),
        ),
      ),
    ),
  );
}
