import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import {
  completeSubtrees,
  type Edge,
  emptyRoot,
  grow,
  joinSubtrees,
  leafHash,
  nodeHash,
  parseTilePath,
  readConsistency,
  rootOf,
  tileWidth,
  verifyConsistency,
} from './index.ts';

const EMPTY: Edge = { size: 0, hashes: [] };
const leaves = Array.from({ length: 600 }, (_, n) => leafHash(utf8ToBytes(`entry ${n}`)));

/** By the definition in RFC 6962, from all leaves. */
function definedRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let half = 1;
  while (half * 2 < hashes.length) half *= 2;
  return nodeHash(definedRoot(hashes.slice(0, half)), definedRoot(hashes.slice(half)));
}

it('a tree that grows leaf by leaf, or by many together, has the root that the definition gives it', () => {
  expect(rootOf(EMPTY)).toEqual(emptyRoot());
  let edge = EMPTY;
  for (const [n, leaf] of leaves.entries()) {
    edge = grow(edge, [leaf]).edge;
    if (n < 70 || n > 590 || (n > 250 && n < 260))
      expect(rootOf(edge)).toEqual(definedRoot(leaves.slice(0, n + 1)));
  }
  expect(grow(grow(EMPTY, leaves.slice(0, 300)).edge, leaves.slice(300)).edge).toEqual(edge);
});

it('its tiles hold the hashes of the definition, each once', () => {
  const { made } = grow(EMPTY, leaves);
  for (const level of [0, 1, 2]) {
    const hashes = made.filter((node) => node.level === level);
    const width = 256 ** level;
    expect(hashes.map(({ position }) => position)).toEqual(
      Array.from({ length: Math.floor(leaves.length / width) }, (_, n) => n),
    );
    for (const { position, hash } of hashes.filter((_, n) => n % 97 === 0))
      expect(hash).toEqual(definedRoot(leaves.slice(position * width, (position + 1) * width)));
  }
  expect(tileWidth({ level: 1, index: 0 }, leaves.length)).toBe(2);
});

it('the root of a range comes from its complete subtrees', () => {
  const range = { start: 0, end: 300 };
  const hashes = completeSubtrees(range).map(({ start, end }) => definedRoot(leaves.slice(start, end)));
  expect(joinSubtrees(hashes)).toEqual(definedRoot(leaves.slice(0, 300)));
});

it('an edge that lacks a hash is not grown', () => {
  expect(() => grow({ size: 1, hashes: [] }, leaves.slice(0, 1))).toThrow('fewer hashes');
});

it('a reader proves from the tiles alone that a tree begins with an earlier one, and reads few of them', async () => {
  const { made } = grow(EMPTY, leaves);
  let reads = 0;
  const read = async (path: string) => {
    reads += 1;
    const { level = 0, index = 0, width = 0 } = parseTilePath(path) ?? {};
    const hashes = made.filter((node) => node.level === level).map(({ hash }) => hash);
    return new Uint8Array(Buffer.concat(hashes.slice(index * 256, index * 256 + width)));
  };
  const treeOf = (size: number) => ({ size, root: rootOf(grow(EMPTY, leaves.slice(0, size)).edge) });
  for (const newer of [1, 2, 255, 256, 257, 512, 513, 600])
    for (const older of [0, 1, 3, 128, 255, 256, 300, 512, 599].filter((size) => size <= newer)) {
      reads = 0;
      const proof = await readConsistency(older, newer, read);
      expect(verifyConsistency(treeOf(older), treeOf(newer), proof), `${older} to ${newer}`).toBe(true);
      expect(reads).toBeLessThanOrEqual(4);
      const forged = { size: older, root: nodeHash(treeOf(newer).root, treeOf(newer).root) };
      if (older > 0) expect(verifyConsistency(forged, treeOf(newer), proof)).toBe(false);
    }
});
