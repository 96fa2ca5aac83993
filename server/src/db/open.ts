import { exactJson } from '@payassent/protocol';
import connect from '../../vendor/postgres/src/index.js';
import { driverAddress, isPrepared } from './address.ts';
import { layOut, layoutOf } from './layout.ts';
import { type SessionGuard, sessionCheck } from './session-guard.ts';
import type { Database, Tx } from './sql.ts';

export type { Database, Fragment, Moment, Sql, Tx } from './sql.ts';

export interface ConnectionTarget {
  url?: string;
  host?: string;
  port?: number;
  database?: string;
  username?: string;
  password?: string;
}

/** A statement of the driver; what it came to goes through `resolve` or `reject`. */
export interface ObservedQuery {
  /** Its text, once it has been sent. */
  string?: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export type ObserveQuery = (query: ObservedQuery) => void;

export interface OpenOptions {
  pool: number;
  name?: string;
  /** Without the limits of time below: for tools that fill or copy whole databases. */
  patient?: boolean;
  /** For migrations, which lift the limits of time for themselves. */
  mayBeSilent?: boolean;
  /** Off: no named prepared statements, whatever the address says. */
  prepare?: boolean;
  /** What every new connection must be like before it is used. */
  guard?: SessionGuard;
  /** Sees every statement when it is made, and may see its end. */
  onQuery?: ObserveQuery | undefined;
  /** Sees the text of every statement that is sent; tests count them. */
  onStatement?: (text: string) => void;
}

/**
 * A statement that takes longer is cancelled, and its caller told to try again: none may hold a connection of the pool
 * for as long as it likes. Every job works in batches that stay far below; migrations lift the limits for themselves.
 */
export const TIME_LIMITS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** A server that owes an answer for longer than any statement may take is gone; the connection is given up. */
const SILENCE_S = 5 + TIME_LIMITS.statement_timeout / 1000;

/**
 * The name of the service's sessions. Releases before 47 had no number in it: commands see by it who must not be at work
 * when they change a table.
 */
export const SERVICE_SESSION = 'payassent 47';

export function openDatabase(target: ConnectionTarget, options: OpenOptions): Database {
  const { onStatement } = options;
  const settings = {
    ...(onStatement ? { debug: (_connection: number, text: string) => onStatement(text) } : {}),
    ...(isPreparing(target) && options.prepare !== false ? {} : { prepare: false }),
    // A statement never follows another one unasked: behind one that waits for a lock it would wait with it, and a
    // pooler may give the backend away while the beginning of the next statement is already there.
    max_pipeline: 0,
    ...(options.onQuery ? { onquery: options.onQuery } : {}),
    ...(options.guard ? { session_check: sessionCheck(options.guard) } : {}),
    max: options.pool,
    connect_timeout: 5,
    idle_timeout: 0,
    ...(options.patient || options.mayBeSilent ? {} : { silence_timeout: SILENCE_S }),
    // A server that went away must be met again soon, not after the driver's growing pauses.
    backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt),
    onnotice: () => {},
    connection: {
      application_name: options.name ?? SERVICE_SESSION,
      TimeZone: 'UTC',
      ...(options.patient ? {} : TIME_LIMITS),
    },
    types: {
      // Text is kept as it is written, also where JavaScript would write a number in another way.
      json: { to: 114, from: [114, 3802], parse: (text: string) => JSON.parse(text), serialize: exactJson },
      // Sequences and counters stay far below 2^53; money is never a bigint column.
      bigint: {
        to: 20,
        from: [20],
        parse: (text: string) => Number(text),
        serialize: (value: number) => String(value),
      },
    },
  };
  if (target.url !== undefined) {
    const address = driverAddress(target.url);
    return connect(address.url, { ...address.options, ...settings }) as Database;
  }
  const { url: _, ...place } = target;
  return connect({ ...place, ...settings }) as Database;
}

/** How many connections of a pool exist, how many are at work, and how many statements wait for one. */
export interface PoolUse {
  size: number;
  in_use: number;
  waiting: number;
}

export function poolUse(db: Database): PoolUse {
  return (db as Database & { pool_use(): PoolUse }).pool_use();
}

/** Whether named prepared statements are used there. */
export function isPreparing({ url }: ConnectionTarget): boolean {
  return url === undefined || isPrepared(url);
}

export async function transaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const actions: Array<() => void> = [];
  const binding = bindingOf(db);
  const layout = layoutOf(db);
  let isOver = false;
  try {
    const result = await (binding?.pool ?? db).begin(async (sql) => {
      const check = layout.begin?.(sql);
      // Sent together with the first statement of the work, which fails with it.
      if (binding?.tenant !== undefined) layout.bindTenant(sql, binding.tenant);
      // The driver gives a lost connection to the next caller: a statement that comes too late would run in the midst
      // of somebody else's transaction.
      const run = (...args: Parameters<typeof sql>) => {
        if (isOver) throw new TransactionOverError();
        return sql(...args);
      };
      const afterCommit = (action: () => void) => actions.push(action);
      const tx = layOut(Object.assign(run, sql, { afterCommit }) as unknown as Tx, layout);
      const result = await work(tx);
      await binding?.beforeCommit?.(tx);
      await check?.();
      return result;
    });
    for (const action of actions) action();
    return result as T;
  } finally {
    isOver = true;
  }
}

const BINDING = Symbol('binding');

interface Binding {
  pool: Database;
  /** Merchant and seal, as `current_tenant()` reads them; absent where every tenant is seen. */
  tenant?: string;
  /** The last step of every transaction. */
  beforeCommit?: (tx: Tx) => Promise<void>;
}

function bindingOf(db: Database): Binding | undefined {
  return (db as { [BINDING]?: Binding })[BINDING];
}

/** What the driver keeps of a statement that has not been sent; its types do not show it. */
interface Unsent {
  tagged: boolean;
  strings: TemplateStringsArray;
  args: never[];
  options: object;
  isRaw?: unknown;
  handler(query: Unsent): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * The database as one tenant sees it: every statement and every transaction first names the tenant, for its own
 * transaction only. A connection that goes back to the pool is bound to nobody. `begin`, `listen` and `reserve` are
 * missing on purpose.
 */
export function boundDatabase(pool: Database, tenant: string): Database {
  const bind = <Query>(query: Query): Query => {
    // Identifiers and lists of values are made by the same call, and are never sent by themselves.
    if (typeof (query as Partial<Unsent>).handler === 'function')
      (query as unknown as Unsent).handler = (unsent) => void sendBound(bound, unsent);
    return query;
  };
  const run = (...args: Parameters<Database>) => bind(pool(...args));
  const unsafe = (...args: Parameters<Database['unsafe']>) => bind(pool.unsafe(...args));
  const { json, array, typed, types } = pool;
  const members = { json, array, typed, types, unsafe, [BINDING]: { pool, tenant } };
  const bound = layOut(Object.assign(run, members) as unknown as Database, layoutOf(pool));
  return bound;
}

/** The same database, whose transactions commit only when the last step of each succeeds. */
export function guardedDatabase(db: Database, beforeCommit: (tx: Tx) => Promise<void>): Database {
  const { json, array, typed, types } = db;
  const former = bindingOf(db);
  const last = former?.beforeCommit;
  const binding: Binding = {
    ...(former ?? { pool: db }),
    beforeCommit: last
      ? async (tx) => {
          await last(tx);
          await beforeCommit(tx);
        }
      : beforeCommit,
  };
  const run = (...args: Parameters<Database>) => db(...args);
  const unsafe = (...args: Parameters<Database['unsafe']>) => db.unsafe(...args);
  const members = { json, array, typed, types, unsafe, [BINDING]: binding };
  return layOut(Object.assign(run, members) as unknown as Database, layoutOf(db));
}

/** A statement by itself is a transaction of one. Its caller hears of it after the commit. */
function sendBound(db: Database, query: Unsent): Promise<void> {
  const send = async (tx: Tx): Promise<unknown> => {
    const sent = query.tagged
      ? tx(query.strings, ...query.args)
      : tx.unsafe(query.strings[0] ?? '', query.args, query.options);
    return Object.assign(sent, { isRaw: query.isRaw });
  };
  return transaction(db, send).then(query.resolve, query.reject);
}

class TransactionOverError extends Error {
  readonly code = 'CONNECTION_CLOSED';
  override readonly message = 'The transaction is over: its connection to the database was lost.';
}
