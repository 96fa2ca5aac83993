import { randomBytes, randomFillSync } from 'node:crypto';

/** The only source of randomness. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Identifiers need 10 or 12 bytes; secrets have more and are drawn one by one, so that none is in a shared block. */
const LARGEST_SMALL_DRAW = 16;
const BLOCK_BYTES = 4096;

/** A system call costs about as much for 12 bytes as for 4,096, and every request draws a few. */
function createBlockRandom(): Random {
  const block = Buffer.alloc(BLOCK_BYTES);
  let used = BLOCK_BYTES;
  return {
    bytes(count) {
      if (count > LARGEST_SMALL_DRAW) return randomBytes(count);
      if (used + count > BLOCK_BYTES) {
        randomFillSync(block);
        used = 0;
      }
      const drawn = Uint8Array.prototype.slice.call(block, used, used + count);
      block.fill(0, used, used + count);
      used += count;
      return drawn;
    },
  };
}

export const systemRandom: Random = createBlockRandom();
