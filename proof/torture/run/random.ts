import { createHash } from 'node:crypto';

/**
 * Choices that a seed repeats. Each actor has a separate generator, so that no actor's turn changes another's choices.
 */
export interface Random {
  /** 0 … below − 1. */
  int(below: number): number;
  between(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T | undefined;
  /** By weight; a weight of nothing is never chosen. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
  /** A generator that depends on this one's name and the given one, and on nothing that happened since. */
  child(name: string): Random;
}

export function createRandom(name: string): Random {
  const words = createHash('sha256').update(name).digest();
  let a = words.readUInt32LE(0);
  let b = words.readUInt32LE(4);
  let c = words.readUInt32LE(8);
  let counter = 1;
  /** 32 bits of a small fast counting generator (three words of state and a counter). */
  const next = (): number => {
    const mixed = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    return mixed >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();
  const unit = () => next() / 2 ** 32;
  const int = (below: number) => Math.floor(unit() * below);
  return {
    int,
    between: (from, to) => from + int(to - from + 1),
    chance: (share) => unit() < share,
    pick: (items) => items[int(items.length)],
    weighted(choices) {
      let rest = unit() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        rest -= weight;
        if (rest < 0) return choice;
      }
      const last = choices.findLast(([, weight]) => weight > 0);
      if (!last) throw new Error('nothing to choose from');
      return last[0];
    },
    child: (child) => createRandom(`${name}/${child}`),
  };
}
