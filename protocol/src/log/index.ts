export * from './checkpoint.ts';
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
export * from './tiles.ts';
