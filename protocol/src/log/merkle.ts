import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

/**
 * The Merkle tree of RFC 6962. Sizes and indexes are JavaScript integers: 2^53 entries are more than any log gets.
 * A range `[start, end)` of leaves has one hash; proofs are lists of ranges first, so that a log can read the hashes
 * from its tiles, and lists of hashes only then.
 */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256(concatBytes(LEAF, entry));
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(NODE, left, right));
}

/** The root of a tree without leaves. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array());
}

/** The largest power of two below `size`. */
function split(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/** The complete subtrees that a range starting at a multiple of its size is made of, from left to right. */
export function completeSubtrees({ start, end }: Range): Range[] {
  if (start >= end) return [];
  const half = split(end - start);
  if (half * 2 === end - start || end - start === 1) return [{ start, end }];
  return [
    ...completeSubtrees({ start, end: start + half }),
    ...completeSubtrees({ start: start + half, end }),
  ];
}

/** The hash of a range from the hashes of its complete subtrees. */
export function joinSubtrees(hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** From the leaf's sibling up to the root's child. */
export function inclusionRanges(index: number, size: number): Range[] {
  checkIndex(index, size);
  const ranges: Range[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** What shows that the tree of `newSize` begins with the tree of `oldSize` (RFC 6962, 2.1.2). */
export function consistencyRanges(oldSize: number, newSize: number): Range[] {
  if (oldSize < 1 || oldSize > newSize)
    throw new RangeError('A tree can only be compared with a larger one.');
  const ranges: Range[] = [];
  let start = 0;
  let end = newSize;
  while (end !== oldSize) {
    const middle = start + split(end - start);
    if (oldSize <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // The verifier knows the old tree itself where the old tree is one complete subtree.
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** Whether `leaf` is entry `index` of the tree of `size` with this root (RFC 9162, 2.1.3.2). */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isPlace(index, size)) return false;
  let position = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash);
      while (position % 2 === 0 && position > 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else hash = nodeHash(hash, sibling);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equal(hash, root);
}

/** Whether the tree of `newSize` begins with the tree of `oldSize` (RFC 9162, 2.1.4.2). */
export function verifyConsistency(
  older: { size: number; root: Uint8Array },
  newer: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (older.size > newer.size || older.size < 0) return false;
  if (older.size === newer.size) return proof.length === 0 && equal(older.root, newer.root);
  if (older.size === 0) return proof.length === 0;
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : [...proof];
  const [first, ...rest] = path;
  if (!first) return false;
  let position = older.size - 1;
  let last = newer.size - 1;
  while (position % 2 === 1) {
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  let oldHash = first;
  let newHash = first;
  for (const hash of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      oldHash = nodeHash(hash, oldHash);
      newHash = nodeHash(hash, newHash);
      while (position % 2 === 0 && position > 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else newHash = nodeHash(newHash, hash);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equal(oldHash, older.root) && equal(newHash, newer.root);
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size));
}

function isPlace(index: number, size: number): boolean {
  return Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size;
}

function checkIndex(index: number, size: number): void {
  if (!isPlace(index, size)) throw new RangeError(`There is no entry ${index} in a tree of ${size}.`);
}

/** Hashes are public, so the comparison does not have to take constant time. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
