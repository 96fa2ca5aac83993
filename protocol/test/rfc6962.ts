import { emptyRoot, leafHash, nodeHash } from '../src/log/index.ts';

/** The tree as RFC 6962 defines it, word for word: slow, and independent of everything that is tested. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leafHash(leaves[0] ?? new Uint8Array());
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return nodeHash(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}
