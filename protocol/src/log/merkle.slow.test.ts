// Slow: proves every entry of every tree up to a size.
import { describe, expect, it } from 'vitest';
import { rootOf } from '../../test/rfc6962.ts';
import {
  consistencyRanges,
  emptyRoot,
  inclusionRanges,
  leafHash,
  type Range,
  verifyConsistency,
  verifyInclusion,
} from './index.ts';

const leaves = Array.from({ length: 70 }, (_, n) => Uint8Array.of(n, n + 1, n + 2));
const hashOf = ({ start, end }: Range) => rootOf(leaves.slice(start, end));

describe('the Merkle tree', () => {
  it('proves every entry of every size, and nothing else', () => {
    for (let size = 1; size <= leaves.length; size += 1) {
      const root = hashOf({ start: 0, end: size });
      for (let index = 0; index < size; index += 1) {
        const leaf = leafHash(leaves[index] ?? new Uint8Array());
        const proof = inclusionRanges(index, size).map(hashOf);
        expect(verifyInclusion(leaf, index, size, proof, root)).toBe(true);
        const wrong = [
          verifyInclusion(leafHash(Uint8Array.of(9)), index, size, proof, root),
          verifyInclusion(leaf, size, size, proof, root),
          verifyInclusion(leaf, -1, size, proof, root),
          verifyInclusion(leaf, index, size, [...proof, root], root),
          verifyInclusion(leaf, index, size, proof, emptyRoot()),
          ...(size > 1 ? [verifyInclusion(leaf, (index + 1) % size, size, proof, root)] : []),
          ...(proof.length > 0 ? [verifyInclusion(leaf, index, size, proof.slice(1), root)] : []),
        ];
        expect(wrong).toEqual(wrong.map(() => false));
      }
    }
  });

  it('proves that each tree begins with each smaller one, and no other', () => {
    const roots = leaves.map((_, n) => hashOf({ start: 0, end: n + 1 }));
    for (let newSize = 1; newSize <= leaves.length; newSize += 1) {
      for (let oldSize = 1; oldSize <= newSize; oldSize += 1) {
        const older = { size: oldSize, root: roots[oldSize - 1] ?? emptyRoot() };
        const newer = { size: newSize, root: roots[newSize - 1] ?? emptyRoot() };
        const proof = consistencyRanges(oldSize, newSize).map(hashOf);
        expect(verifyConsistency(older, newer, proof)).toBe(true);
        const forked = { ...newer, root: leafHash(newer.root) };
        const rewritten = { ...older, root: leafHash(older.root) };
        expect(verifyConsistency(older, forked, proof)).toBe(false);
        expect(verifyConsistency(rewritten, newer, proof)).toBe(false);
        expect(verifyConsistency(older, newer, [...proof, newer.root])).toBe(false);
        if (oldSize < newSize) {
          expect(verifyConsistency(newer, older, proof)).toBe(false);
          expect(verifyConsistency(older, newer, proof.slice(1))).toBe(false);
        }
      }
    }
    expect(verifyConsistency({ size: 0, root: emptyRoot() }, { size: 1, root: emptyRoot() }, [])).toBe(true);
  });
});
