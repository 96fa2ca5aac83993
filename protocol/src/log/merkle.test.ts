import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { rootOf } from '../../test/rfc6962.ts';
import { completeSubtrees, consistencyRanges, emptyRoot, inclusionRanges, joinSubtrees } from './index.ts';

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

  it('refuses places that do not exist', () => {
    expect(() => inclusionRanges(3, 3)).toThrow('There is no entry 3 in a tree of 3.');
    expect(() => consistencyRanges(4, 3)).toThrow(RangeError);
  });
});
