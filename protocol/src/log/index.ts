export * from './checkpoint.ts';
export { type Edge, grow, rootOf, type TileHash } from './grow.ts';
export {
  completeSubtrees,
  consistencyRanges,
  emptyRoot,
  inclusionRanges,
  joinSubtrees,
  leafHash,
  nodeHash,
  type Range,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';
export * from './note.ts';
export * from './stretches.ts';
export * from './tiles.ts';
