import { randomBytes } from 'node:crypto';

/** The only source of randomness. */
export interface Random {
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
