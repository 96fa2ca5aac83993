import { describe, expect, it } from 'vitest';
import { createBatches } from './batches.ts';

/** Statements that end when the test ends them. */
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

describe('batches', () => {
  it('take all callers of one turn together, at most so many, in at most two concurrent statements', async () => {
    const { batches: seen, end, execute } = recorder();
    const batches = createBatches({ atOnce: 2, maxRows: 3, execute });
    const results = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((item) => batches.run(item)));
    await turns();
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
    end(1);
    await turns();
    expect(seen[2]).toEqual(['g', 'h']);
    end(0);
    end(2);
    expect(await results).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
  });

  it('never take two of one name together', async () => {
    const { batches: seen, end, execute } = recorder();
    const batches = createBatches({ atOnce: 1, maxRows: 9, execute, namesOf: (item) => [item.charAt(0)] });
    const results = Promise.all(['a1', 'a2', 'b1', 'a3', 'b2'].map((item) => batches.run(item)));
    for (const [index, batch] of [['a1', 'b1'], ['a2', 'b2'], ['a3']].entries()) {
      await turns();
      expect(seen[index]).toEqual(batch);
      end(index);
    }
    expect(await results).toEqual(['A1', 'A2', 'B1', 'A3', 'B2']);
  });

  it('run every call alone when a shared statement fails, so that each gets its own result or its own error', async () => {
    const seen: string[][] = [];
    const batches = createBatches<string, string>({
      atOnce: 2,
      maxRows: 9,
      async execute(items) {
        seen.push([...items]);
        if (items.includes('bad')) throw new Error('one of them');
        return items.map((item) => `${item}!`);
      },
    });
    const results = await Promise.allSettled(['a', 'bad', 'c'].map((item) => batches.run(item)));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    expect(await batches.run('later')).toBe('later!');
  });

  it('never run a call that was given up while it waited', async () => {
    const { batches: seen, end, execute } = recorder();
    const batches = createBatches({ atOnce: 1, maxRows: 1, execute });
    const first = batches.run('first');
    await turns();
    const late = batches.run('late', performance.now() + 1);
    const patient = batches.run('patient');
    const dueMs = performance.now() + 2;
    while (performance.now() < dueMs) await turn();
    end(0);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    await turns();
    end(1);
    expect(await Promise.all([first, patient])).toEqual(['FIRST', 'PATIENT']);
    expect(seen).toEqual([['first'], ['patient']]);
  });

  it('are free for others while the calls of a failed statement run alone', async () => {
    const { batches: seen, end, execute } = recorder();
    const batches = createBatches({ atOnce: 1, maxRows: 9, execute });
    const failed = Promise.all(['a', 'b'].map((item) => batches.run(item)));
    await turns();
    end(0, new Error('one of them'));
    await turns();
    const other = batches.run('other');
    await turns();
    expect(seen).toEqual([['a', 'b'], ['a'], ['other']]);
    end(2);
    expect(await other).toBe('OTHER');
    end(1);
    await turns();
    end(3);
    expect(await failed).toEqual(['A', 'B']);
  });
});
