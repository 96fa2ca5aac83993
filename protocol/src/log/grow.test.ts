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
  rootOf,
  tileWidth,
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

it('a tree that grows leaf by leaf, or by many at once, has the root that the definition gives it', () => {
  expect(rootOf(EMPTY)).toEqual(emptyRoot());
  let edge = EMPTY;
  for (const [n, leaf] of leaves.entries()) {
    edge = grow(edge, [leaf]).edge;
    if (n < 70 || n > 590 || (n > 250 && n < 260))
      expect(rootOf(edge)).toEqual(definedRoot(leaves.slice(0, n + 1)));
  }
  expect(grow(grow(EMPTY, leaves.slice(0, 300)).edge, leaves.slice(300)).edge).toEqual(edge);
});

it('its tiles hold what the definition says, each hash once', () => {
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
