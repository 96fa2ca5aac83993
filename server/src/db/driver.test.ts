import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '@payassent/proof/database/database';
import { createTcpProxy, type TcpProxy } from '@payassent/proof/faults/tcp-proxy';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import connect from '../../vendor/postgres/src/index.js';
import { isUnavailable } from './faults.ts';
import { type Database, openDatabase, poolUse, type Tx, transaction } from './open.ts';

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

/** One connection with pipelined statements, as the driver does by default. */
function openPipelining(): Database {
  const { url: _, ...place } = database.target;
  const settings = { ...place, max: 1, max_pipeline: 100, onnotice: () => {} };
  return connect(settings) as Database;
}

async function endBackendOf(tx: Tx): Promise<void> {
  const [backend] = await tx<Array<{ pid: number }>>`select pg_backend_pid() as pid`;
  await killer`select pg_terminate_backend(${backend?.pid ?? 0})`;
}

describe('one place in the source', () => {
  it('sends what it is given each time: values of any type, parts of a statement, names', async () => {
    const ask = (value: unknown) => db`select ${value as never} as given from (values (1, 2)) v(one, two)`;
    const given = async (value: unknown) => (await ask(value))[0]?.['given'];
    const at = new Date('2026-01-02T03:04:05.678Z');
    const turns: [value: unknown, expected: unknown][] = [
      ['text', 'text'],
      [at, at],
      [true, true],
      [db`v.one + ${41}::int`, 42],
      ['other', 'other'],
      [db('two'), 2],
      [null, null],
      [false, false],
    ];
    for (const [value, expected] of [...turns, ...turns.toReversed()])
      expect(await given(value)).toEqual(expected);
  });
});

describe('a connection that is lost', () => {
  it('in the midst of a transaction fails that caller alone, and the pool continues, thirty times', async () => {
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
      lateStatement = paused.then(() => tx`insert into late values (1)`);
      lateStatement.catch(() => {});
      await endBackendOf(tx);
      await lateStatement;
    });
    await expect(lost).rejects.toSatisfy(isUnavailable);
    await db`select 1`;
    continueWork();
    await expect(lateStatement).rejects.toSatisfy(isUnavailable);
    expect(await db`select * from late`).toHaveLength(0);
  });
});

describe('a connection that is reset', () => {
  let proxy: TcpProxy;
  let behind: Database;

  beforeAll(async () => {
    proxy = await createTcpProxy(database.url);
    behind = openDatabase({ url: proxy.url }, { pool: 2 });
    await db`create table counted (id int primary key, times int not null)`;
  });

  afterAll(async () => {
    await behind.end();
    await proxy.close();
  });

  it('in the midst of a transaction fails that caller alone, and the pool continues, thirty times', async () => {
    const single = openDatabase({ url: proxy.url }, { pool: 1 });
    for (let turn = 0; turn < 30; turn += 1) {
      const lost = transaction(single, async (tx) => {
        await tx`select 1`;
        proxy.reset();
        await tx`select 2`;
      });
      await expect(lost.catch((error: unknown) => isUnavailable(error))).resolves.toBe(true);
      const asked = await Promise.all([single`select 1 as one`, single`select 1 as one`]);
      expect(asked.map(([row]) => row?.['one'])).toEqual([1, 1]);
    }
    await single.end();
  });

  it('under many concurrent statements leaves none waiting, and none is done twice', async () => {
    const first = await Promise.all(Array.from({ length: 20 }, (_, turn) => storm(turn)));
    const answered = first.flat();
    const stored = await db<{ id: number; times: number }[]>`select id, times from counted`;
    expect(stored.filter(({ times }) => times !== 1)).toEqual([]);
    const isStored = new Set(stored.map(({ id }) => id));
    // Confirmed statements are stored; a lost one may or may not be.
    expect(answered.filter(({ id, done }) => done && !isStored.has(id))).toEqual([]);
    expect(answered.some(({ done }) => !done)).toBe(true);
    expect(await behind`select 1 as one`).toEqual([{ one: 1 }]);
  });

  /** Fifty statements on two connections, reset at the first result while others are in flight. */
  async function storm(turn: number): Promise<{ id: number; done: boolean }[]> {
    let isReset = false;
    const statements = Array.from({ length: 50 }, async (_, n) => {
      const id = turn * 50 + n;
      const done = await behind`
        insert into counted values (${id}, 1) on conflict (id) do update set times = counted.times + 1`.then(
        () => true,
        (error: unknown) => {
          if (!isUnavailable(error)) throw error;
          return false;
        },
      );
      if (!isReset) proxy.reset();
      isReset = true;
      return { id, done };
    });
    return Promise.all(statements);
  }
});

describe('a connection that is cut while it is made', () => {
  /** Cuts only the first connection, after so many bytes. */
  async function cutAfter(bytes: number) {
    let isFirst = true;
    const chance = (share: number) => {
      if (share < 1) return false;
      const wasFirst = isFirst;
      isFirst = false;
      return wasFirst;
    };
    const proxy = await createTcpProxy(database.url, { int: () => bytes, chance });
    proxy.cut({ chance: 1, withinBytes: 1 });
    return proxy;
  }

  const STEP_BYTES = 149;
  const GUARD = { allowUnsafeDurability: true, isDirect: true };

  it.each([
    [
      'a statement',
      async (one: Database) => {
        await one`select 1`;
      },
    ],
    [
      'a connection of its own',
      async (one: Database) => {
        const own = await one.reserve();
        await own`select 1`.finally(() => own.release());
      },
    ],
  ] as const)('leaves no one waiting, wherever it is cut: %s', async (_title, use) => {
    let bytes = 0;
    for (let isCut = true; isCut; bytes += STEP_BYTES) {
      const proxy = await cutAfter(bytes);
      const one = openDatabase({ url: proxy.url }, { pool: 1, guard: GUARD });
      const lost = await use(one).then(() => undefined, String);
      isCut = lost !== undefined;
      if (isCut) {
        expect(lost).toContain('CONNECTION_CLOSED');
        await use(one);
      }
      await one.end();
      await proxy.close();
    }
    // Before the first statement there are the handshake, the check of the session and the types.
    expect(bytes).toBeGreaterThan(3_000);
  });
});

describe('a reserved connection that is lost', () => {
  it('fails its own and its waiting statements, and is kept out of the pool when it is given back', async () => {
    const one = openDatabase(database.target, { pool: 1 });
    const own = await one.reserve();
    const [backend] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const asked = Promise.allSettled([own`select pg_sleep(60)`, own`select 1`, own`select 2`]);
    await killer`select pg_terminate_backend(${backend?.pid ?? 0})`;
    for (const outcome of await asked)
      expect(outcome.status === 'rejected' && isUnavailable(outcome.reason)).toBe(true);
    const next = transaction(one, async (tx) => {
      await expect(own`select 3`).rejects.toSatisfy(isUnavailable);
      own.release();
      return tx`select 4 as n`;
    });
    expect(await next).toEqual([{ n: 4 }]);
    expect(await one`select 5 as n`).toEqual([{ n: 5 }]);
    await one.end();
  });
});

it('a pool that is ending ends when the connection it waits for is lost', async () => {
  const one = openDatabase(database.target, { pool: 1 });
  const [backend] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const asked = one`select pg_sleep(60)`.catch(isUnavailable);
  const ending = one.end();
  await killer`select pg_terminate_backend(${backend?.pid ?? 0})`;
  expect(await asked).toBe(true);
  await ending;
});

it.each(['a statement', 'a lost connection'])(
  'a pool that is ending serves the statements that wait behind %s, and leaves no connection open',
  async (ahead) => {
    const name = `ending behind ${ahead}`;
    const one = openDatabase(database.target, { pool: 1, name });
    const [backend] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const first = one`select pg_sleep(1)`.catch(isUnavailable);
    const waiting = [2, 3].map((n) => one<{ n: number }[]>`select ${n}::int as n`.then(([row]) => row?.n));
    await new Promise((resolve) => setImmediate(resolve));
    expect(poolUse(one).waiting).toBe(2);
    const ending = one.end({ timeout: 5 });
    if (ahead === 'a lost connection') await killer`select pg_terminate_backend(${backend?.pid ?? 0})`;
    await Promise.all([first, ending]);
    expect(await Promise.all(waiting)).toEqual([2, 3]);
    await expect
      .poll(() => killer`select from pg_stat_activity where application_name = ${name}`)
      .toHaveLength(0);
  },
);

describe('a statement that was prepared before a migration', () => {
  let single: Database;

  beforeAll(async () => {
    single = openDatabase(database.target, { pool: 1 });
    await single`create table shaped (id int, n serial)`;
  });

  afterAll(() => single.end());

  const ask = () => single`select * from shaped where id < ${10}`;

  it('is sent again when it is alone', async () => {
    await ask();
    await ask();
    await db`alter table shaped add column first int`;
    await expect(ask()).resolves.toEqual([]);
  });

  it('is never sent again behind statements that followed it: its caller gets the advice to retry', async () => {
    const pipelining = openPipelining();
    const follow = () => pipelining`select * from shaped where id < ${10}`;
    await follow();
    await db`alter table shaped add column second int`;
    const pipelined = await Promise.allSettled([
      follow(),
      pipelining`select 1 as one`,
      pipelining`select 2 as two`,
    ]);
    expect(pipelined.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    const [outdated] = pipelined;
    expect(outdated.status === 'rejected' && isUnavailable(outdated.reason)).toBe(true);
    await expect(follow()).resolves.toEqual([]);
    await pipelining.end();
  });

  it('is never sent again within a transaction', async () => {
    await ask();
    await db`alter table shaped add column third int`;
    const sent: string[] = [];
    const watched = openDatabase(database.target, { pool: 1, onStatement: (text) => sent.push(text) });
    await watched`select * from shaped where id < ${10}`;
    await db`alter table shaped add column fourth int`;
    sent.length = 0;
    const outcome = transaction(watched, async (tx) => {
      await tx`select * from shaped where id < ${10}`;
    });
    await expect(outcome).rejects.toSatisfy(isUnavailable);
    await watched.end();
    expect(sent.filter((text) => text.includes('shaped'))).toHaveLength(1);
  });
});

it('a pool that has little to do keeps to the connection that has planned its statements', async () => {
  const pool = openDatabase(database.target, { pool: 3 });
  const backend = async () => (await pool<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const all = await Promise.all([backend(), backend(), backend()]);
  expect(new Set(all).size).toBe(3);
  const used = [];
  for (let turn = 0; turn < 6; turn += 1) used.push(await backend());
  for (let turn = 0; turn < 6; turn += 1)
    used.push(await transaction(pool, async (tx) => (await tx`select pg_backend_pid() as pid`)[0]?.['pid']));
  expect(new Set(used).size).toBe(1);
  await pool.end();
});

it('a statement that waits for a lock keeps no other one waiting', async () => {
  await db`create table held (id int)`;
  await db`insert into held values (1)`;
  const holder = openDatabase(database.target, { pool: 1 });
  let waiting: Promise<unknown> = Promise.resolve();
  await transaction(holder, async (tx) => {
    await tx`update held set id = 2`;
    waiting = db`update held set id = 3`.execute();
    // More than there are connections: with pipelining, all but one would queue behind the waiting one.
    const others = await Promise.all(Array.from({ length: 20 }, (_, n) => db`select ${n}::int as n`));
    expect(others.map(([row]) => row?.['n'])).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
  await waiting;
  expect(await db`select id from held`).toEqual([{ id: 3 }]);
  await db`drop table held`;
  await holder.end();
});

it('a COPY leaves its connection usable, however much of it comes with its end', async () => {
  const one = openDatabase(database.target, { pool: 1 });
  for (let lines = 2_000; lines < 2_200; lines += 1) {
    const text = `copy (select repeat('x', 60) from generate_series(1, ${lines})) to stdout`;
    const rows: AsyncIterable<Buffer> = await one.unsafe(text).readable();
    let bytes = 0;
    for await (const piece of rows) {
      // Keeps the reader busy meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      bytes += piece.length;
    }
    expect(bytes).toBe(lines * 61);
    expect((await one`select 1 as one`)[0]?.['one']).toBe(1);
  }
  await one.end();
});

/** In front of the database; a cancellation is a connection whose first message has this code. */
const CANCELLATION = 80877102;

async function openGate() {
  const proxy = await createTcpProxy(database.url);
  const sockets = new Set<Socket>();
  let held: (() => void)[] | undefined;
  const server = createServer((inner) => {
    const outer = connectTo(proxy.port, '127.0.0.1');
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    inner.once('data', (first: Buffer) => {
      const pass = () => {
        outer.write(first);
        inner.pipe(outer);
        outer.pipe(inner);
      };
      inner.pause();
      if (held && first.readInt32BE(4) === CANCELLATION) held.push(pass);
      else pass();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = proxy.url.replace(`:${proxy.port}`, `:${(server.address() as AddressInfo).port}`);
  return {
    url,
    holdCancellations: () => {
      held = [];
    },
    letCancellationsPass: () => {
      for (const pass of held ?? []) pass();
      held = undefined;
    },
    /** Open connections stay. */
    acceptNoMore: () => void server.close(),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await proxy.close();
    },
  };
}

describe('a statement that is cancelled', () => {
  it('while it waits behind another one keeps its response to itself: no one behind it gets it', async () => {
    const one = openPipelining();
    await one`select 1`;
    // Statements are pipelined only on a connection that was free before the first of them.
    await expect.poll(() => poolUse(one).in_use, { timeout: 60_000 }).toBe(0);
    const outcomes = [
      one`select pg_sleep(1)::text, 1 as n`,
      one`select 2 as n`,
      one`select 3 as n`,
      one`select 4 as n`,
    ];
    const [, waiting] = outcomes;
    const settled = Promise.allSettled(outcomes);
    for (const each of outcomes) each.execute();
    await new Promise((resolve) => setImmediate(resolve));
    // Sent, queued behind the first.
    expect((waiting as unknown as { state: unknown }).state).not.toBeNull();
    waiting?.cancel();
    const numbers = (await settled).map((each) =>
      each.status === 'fulfilled' ? each.value[0]?.['n'] : (each.reason as { code: string }).code,
    );
    // The cancellation may arrive late and hit the next statement, which then reports it.
    for (const [index, found] of numbers.entries()) expect([index + 1, '57014']).toContain(found);
    const ask = () => one`select 5 as n`.then(([row]) => row?.['n'], String);
    await expect.poll(ask, { timeout: 60_000 }).toBe(5);
    await one.end();
  });

  it('is the only one that ends: its connection is given to the next caller when the cancellation has ended', async () => {
    const gate = await openGate();
    const one = openDatabase({ url: gate.url }, { pool: 1 });
    const first = one`select pg_sleep(1)::text, 1 as n`;
    first.execute();
    await expect.poll(() => (first as unknown as { active: boolean }).active, { interval: 5 }).toBe(true);
    gate.holdCancellations();
    first.cancel();
    expect((await first)[0]?.['n']).toBe(1);
    const outcome = (asked: Promise<readonly { n: number }[]>) =>
      asked.then(
        ([row]) => row?.n,
        (error: { code: string }) => error.code,
      );
    const next = outcome(one<{ n: number }[]>`select pg_sleep(1)::text, 2 as n`);
    const transacted = outcome(transaction(one, (tx) => tx<{ n: number }[]>`select 3 as n`));
    // Enough for a statement that does not wait to be sent.
    await pause(300);
    gate.letCancellationsPass();
    expect(await Promise.all([next, transacted])).toEqual([2, 3]);
    await one.end();
    await gate.close();
  });

  it('leaves a pool that ends meanwhile, or whose connection is lost, as it would be without', async () => {
    const gate = await openGate();
    for (const isLost of [false, true]) {
      gate.holdCancellations();
      const one = openDatabase({ url: gate.url }, { pool: 1 });
      const [backend] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const first = one`select pg_sleep(1)::text, 1 as n`;
      first.execute();
      await expect.poll(() => (first as unknown as { active: boolean }).active, { interval: 5 }).toBe(true);
      first.cancel();
      await first;
      if (isLost) await killer`select pg_terminate_backend(${backend?.pid ?? 0}, 5000)`;
      else await one.end();
      gate.letCancellationsPass();
      if (isLost) expect((await one`select 2 as n`)[0]?.['n']).toBe(2);
      await one.end();
    }
    await gate.close();
  });

  it('is cancelled at the host that runs it, also when that is not the first of the address', async () => {
    const [gone, proxy] = [await createTcpProxy(database.url), await createTcpProxy(database.url)];
    gone.hangUp();
    const url = proxy.url.replace('127.0.0.1:', `127.0.0.1:${gone.port},127.0.0.1:`);
    const one = openDatabase({ url }, { pool: 1 });
    await one`select 1`;
    const asked = one`select pg_sleep(10)`;
    const outcome = asked.then(
      () => 'ran to its end',
      (error: { code: string }) => error.code,
    );
    await expect
      .poll(
        () => killer`select from pg_stat_activity where query = 'select pg_sleep(10)' and state = 'active'`,
      )
      .toHaveLength(1);
    asked.cancel();
    expect(await outcome).toBe('57014');
    await one.end();
    await Promise.all([gone.close(), proxy.close()]);
  });

  it('where no new connection can be made runs to its end, and nothing else happens', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const gate = await openGate();
    const one = openDatabase({ url: gate.url }, { pool: 1 });
    const asked = one`select pg_sleep(1)::text, 1 as n`;
    asked.execute();
    await expect.poll(() => (asked as unknown as { active: boolean }).active, { interval: 5 }).toBe(true);
    gate.acceptNoMore();
    asked.cancel();
    expect((await asked)[0]?.['n']).toBe(1);
    expect((await one`select 2 as n`)[0]?.['n']).toBe(2);
    expect(unhandled).toEqual([]);
    await one.end();
    await gate.close();
  });

  it('while its connection is being made leaves the connection to the next one', async () => {
    const proxy = await createTcpProxy(database.url);
    proxy.stall();
    const one = openDatabase({ url: proxy.url }, { pool: 1 });
    const first = one`select 1 as n`;
    const cancelled = first.catch((error: { code: string }) => error.code);
    first.cancel();
    expect(await cancelled).toBe('57014');
    await proxy.resume();
    expect((await one`select 2 as n`)[0]?.['n']).toBe(2);
    await one.end();
    await proxy.close();
  });
});
