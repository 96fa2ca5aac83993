import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { type Database, isUnavailable, openDatabase, type Tx, transaction } from './open.ts';

let database: TestDatabase;
let db: Database;
let killer: Database;

beforeAll(async () => {
  database = await createDatabase({ empty: true });
  db = openDatabase(database.target, { pool: 2 });
  killer = openDatabase(database.target, { pool: 1 });
});

afterAll(async () => {
  await db.end();
  await killer.end();
  await database.drop();
});

async function endBackendOf(tx: Tx): Promise<void> {
  const [backend] = await tx<Array<{ pid: number }>>`select pg_backend_pid() as pid`;
  await killer`select pg_terminate_backend(${backend?.pid ?? 0})`;
}

describe('a connection that is lost', () => {
  it('in the midst of a transaction fails that caller alone, and the pool goes on, thirty times', async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      const lost = transaction(db, async (tx) => {
        await endBackendOf(tx);
        await tx`select 1`;
      });
      await expect(lost.catch((error: unknown) => isUnavailable(error))).resolves.toBe(true);
      const asked = await Promise.all([db`select 1 as one`, db`select 1 as one`, db`select 1 as one`]);
      expect(asked.map(([row]) => row?.['one'])).toEqual([1, 1, 1]);
    }
  });

  it('takes no statement of the transaction that it carried', async () => {
    await db`create table late (id int)`;
    let continueWork = () => {};
    const paused = new Promise<void>((resolve) => {
      continueWork = resolve;
    });
    let lateStatement: Promise<unknown> = Promise.resolve();
    const lost = transaction(db, async (tx) => {
      await endBackendOf(tx);
      lateStatement = paused.then(() => tx`insert into late values (1)`);
      lateStatement.catch(() => {});
      await lateStatement;
    });
    await expect(lost).rejects.toSatisfy(isUnavailable);
    await db`select 1`;
    continueWork();
    await expect(lateStatement).rejects.toSatisfy(isUnavailable);
    expect(await db`select * from late`).toHaveLength(0);
  });
});
