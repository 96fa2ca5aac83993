// Slow: proves every entry of every tree up to a size.
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import {
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
} from './index.ts';

/** The tree as RFC 6962 defines it, word for word: slow, and independent of everything that is tested. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leafHash(leaves[0] ?? new Uint8Array());
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return nodeHash(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

const leaves = Array.from({ length: 70 }, (_, n) => Uint8Array.of(n, n + 1, n + 2));
const hashOf = ({ start, end }: Range) => rootOf(leaves.slice(start, end));

/** The entries and roots that certificate transparency implementations test themselves with. */
const PUBLISHED = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
] as const;

describe('the Merkle tree', () => {
  it('has the published roots', () => {
    const entries = PUBLISHED.map(([entry]) => hexToBytes(entry));
    const roots = PUBLISHED.map((_, n) => {
      const hashes = completeSubtrees({ start: 0, end: n + 1 }).map(({ start, end }) =>
        rootOf(entries.slice(start, end)),
      );
      return bytesToHex(joinSubtrees(hashes));
    });
    expect(roots).toEqual(PUBLISHED.map(([, root]) => root));
    expect(bytesToHex(emptyRoot())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

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

  it('refuses places that do not exist', () => {
    expect(() => inclusionRanges(3, 3)).toThrow('There is no entry 3 in a tree of 3.');
    expect(() => consistencyRanges(4, 3)).toThrow(RangeError);
  });
});
