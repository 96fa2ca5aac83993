import { emptyRoot, joinSubtrees, nodeHash } from './merkle.ts';
import { TILE_WIDTH } from './tiles.ts';

/** All that a log has to remember in order to grow: the hashes of the complete subtrees of its tree, from left to right. */
export interface Edge {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

/** A hash of a tile. */
export interface TileHash {
  readonly level: number;
  /** Its place among all hashes of the level. */
  readonly position: number;
  readonly hash: Uint8Array;
}

export function rootOf({ size, hashes }: Edge): Uint8Array {
  return size === 0 ? emptyRoot() : joinSubtrees(hashes);
}

/** The edge with more leaves behind it, and every hash that tiles have because of them. */
export function grow(edge: Edge, leaves: readonly Uint8Array[]): { edge: Edge; made: TileHash[] } {
  const hashes = [...edge.hashes];
  const made: TileHash[] = [];
  let { size } = edge;
  for (const leaf of leaves) {
    made.push({ level: 0, position: size, hash: leaf });
    size += 1;
    let hash = leaf;
    let width = 1;
    while (Math.floor(size / width) % 2 === 0) {
      const left = hashes.pop();
      if (!left) throw new RangeError('The edge has fewer hashes than its size requires.');
      hash = nodeHash(left, hash);
      width *= 2;
      const level = levelOf(width);
      if (level !== undefined) made.push({ level, position: size / width - 1, hash });
    }
    hashes.push(hash);
  }
  return { edge: { size, hashes }, made };
}

/** The level whose tiles hold hashes over this many leaves. */
function levelOf(width: number): number | undefined {
  const level = Math.log2(width) / Math.log2(TILE_WIDTH);
  return Number.isInteger(level) ? level : undefined;
}
