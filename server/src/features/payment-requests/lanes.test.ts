import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

/** Statements that end when the test says so. */
function recorder() {
  const batches: string[][] = [];
  const ends: Array<(error?: Error) => void> = [];
  return {
    batches,
    /** Ends the statement with this number. */
    end: (index: number, error?: Error) => ends[index]?.(error),
    execute: (items: readonly string[]) => {
      batches.push([...items]);
      return new Promise<string[]>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))));
      });
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const turns = async () => {
  for (let count = 0; count < 4; count += 1) await turn();
};

describe('lanes', () => {
  it('take all callers of one turn together, at most so many, in at most two statements at once', async () => {
    const { batches, end, execute } = recorder();
    const lanes = createLanes({ lanes: 2, maxRows: 3, execute });
    const results = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(lanes.run));
    await turns();
    expect(batches).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
    end(1);
    await turns();
    expect(batches[2]).toEqual(['g', 'h']);
    end(0);
    end(2);
    expect(await results).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
  });

  it('never take two of one name together', async () => {
    const { batches, end, execute } = recorder();
    const lanes = createLanes({ lanes: 1, maxRows: 9, execute, nameOf: (item) => item.charAt(0) });
    const results = Promise.all(['a1', 'a2', 'b1', 'a3', 'b2'].map(lanes.run));
    for (const [index, batch] of [['a1', 'b1'], ['a2', 'b2'], ['a3']].entries()) {
      await turns();
      expect(batches[index]).toEqual(batch);
      end(index);
    }
    expect(await results).toEqual(['A1', 'A2', 'B1', 'A3', 'B2']);
  });

  it('run every call alone when a shared statement fails, so that each gets its own answer or its own error', async () => {
    const seen: string[][] = [];
    const lanes = createLanes<string, string>({
      lanes: 2,
      maxRows: 9,
      async execute(items) {
        seen.push([...items]);
        if (items.includes('bad')) throw new Error('one of them');
        return items.map((item) => `${item}!`);
      },
    });
    const results = await Promise.allSettled(['a', 'bad', 'c'].map(lanes.run));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    expect(await lanes.run('later')).toBe('later!');
  });
});
