import { exactJson } from '@payassent/protocol';
import connect from '../../vendor/postgres/src/index.js';
import { driverAddress, isPrepared } from './address.ts';
import { layOut, layoutOf } from './layout.ts';
import { type SessionGuard, sessionCheck } from './session-guard.ts';
import type { Database, Tx } from './sql.ts';
import { type Writing, writingRefused } from './writing.ts';

export type { Database, Fragment, Moment, Sql, Tx } from './sql.ts';

export interface ConnectionTarget {
  url?: string;
  host?: string;
  port?: number;
  database?: string;
  username?: string;
  password?: string;
}

/** A statement of the driver; its result goes through `resolve` or `reject`. */
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
  /** Without the time limits below: for tools that fill or copy whole databases. */
  patient?: boolean;
  /** Connections idle for longer are closed; never without it. */
  idleS?: number;
  /** For migrations, which lift the time limits for themselves. */
  mayBeSilent?: boolean;
  /** Off: no named prepared statements, whatever the address specifies. */
  prepare?: boolean;
  /** Checks every new connection before it is used. */
  guard?: SessionGuard;
  /** Notified when a connection owes a response for long. */
  writing?: Writing;
  /** Called with every statement when it is made, and may observe its end. */
  onQuery?: ObserveQuery | undefined;
  /** Called with the text of every statement that is sent; tests count them. */
  onStatement?: (text: string) => void;
}

/**
 * A statement that takes longer is cancelled and its caller gets a retryable error, so that none holds a pool
 * connection indefinitely. Every job works in batches far below the limits; migrations lift them for themselves.
 */
export const TIME_LIMITS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** A server whose response is overdue by more than any statement may take is gone; the connection is closed. */
export const SILENCE_S = 5 + TIME_LIMITS.statement_timeout / 1000;

/**
 * The name of the service's sessions. Releases before 47 had no number in it: by it commands see who must not be
 * running when they change a table.
 */
export const SERVICE_SESSION = 'payassent 47';

export function openDatabase(target: ConnectionTarget, options: OpenOptions): Database {
  const { onStatement, writing } = options;
  const givesUp = writing?.givesUp ?? ((silentS: number) => silentS >= SILENCE_S);
  const settings = {
    ...(onStatement ? { debug: (_connection: number, text: string) => onStatement(text) } : {}),
    ...(isPreparing(target) && options.prepare !== false ? {} : { prepare: false }),
    // No pipelining: behind a statement that waits for a lock the next would wait with it, and a pooler may hand out
    // the backend while the beginning of the next statement is already there.
    max_pipeline: 0,
    ...(options.onQuery ? { onquery: options.onQuery } : {}),
    ...(options.guard ? { session_check: sessionCheck(options.guard) } : {}),
    max: options.pool,
    connect_timeout: 5,
    idle_timeout: options.idleS ?? 0,
    ...(options.patient || options.mayBeSilent ? {} : { onsilence: givesUp }),
    // A server that was down must be reconnected soon, not after the driver's growing pauses.
    backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt),
    onnotice: () => {},
    connection: {
      application_name: options.name ?? SERVICE_SESSION,
      TimeZone: 'UTC',
      ...(options.patient ? {} : TIME_LIMITS),
    },
    types: {
      // Text is kept as it is, even where JavaScript would write a number differently.
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
    return marked(connect(address.url, { ...address.options, ...settings }), writing);
  }
  const { url: _, ...place } = target;
  return marked(connect({ ...place, ...settings }), writing);
}

const WRITING = Symbol('writing');

interface Marked {
  [WRITING]?: Writing | undefined;
}

function marked(db: object, writing: Writing | undefined): Database {
  return Object.assign(db as Database, { [WRITING]: writing } satisfies Marked);
}

function writingOf(db: object): Writing | undefined {
  return ((bindingOf(db)?.pool ?? db) as Marked)[WRITING];
}

/** Called before a write that a read causes outside of a transaction: the read would wait for it. */
export function refuseUnconfirmed(db: object): void {
  writingOf(db)?.refuse();
}

/** How many connections of a pool exist, how many are busy, and how many statements wait for one. */
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
      // The driver gives a lost connection to the next caller: a late statement would run inside another caller's
      // transaction.
      const run = (...args: Parameters<typeof sql>) => {
        if (isOver) throw new TransactionOverError();
        return sql(...args);
      };
      const afterCommit = (action: () => void) => actions.push(action);
      const tx = layOut(Object.assign(run, sql, { afterCommit }) as unknown as Tx, layout);
      const result = await work(tx);
      await binding?.beforeCommit?.(tx);
      await check?.();
      if (writingOf(db)?.state === 'refused' && (await hasWritten(sql))) throw writingRefused();
      return result;
    });
    for (const action of actions) action();
    return result as T;
  } finally {
    isOver = true;
  }
}

/** Its commit would have to be confirmed. */
async function hasWritten(sql: Pick<Database, 'unsafe'>): Promise<boolean> {
  const [row] = await sql.unsafe('select pg_current_xact_id_if_assigned() is not null as has_written');
  return row?.['has_written'];
}

const BINDING = Symbol('binding');

interface Binding {
  pool: Database;
  /** Merchant and seal, as `current_tenant()` reads them; absent where all tenants are visible. */
  tenant?: string;
  /** The last step of every transaction. */
  beforeCommit?: (tx: Tx) => Promise<void>;
}

function bindingOf(db: object): Binding | undefined {
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
 * The database as one tenant sees it: every statement and transaction first sets the tenant, for its own transaction
 * only. A connection returned to the pool is bound to no tenant. `begin`, `listen` and `reserve` are missing on
 * purpose.
 */
export function boundDatabase(pool: Database, tenant: string): Database {
  const bind = <Query>(query: Query): Query => {
    // Identifiers and lists of values are made by the same call, and are never sent alone.
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

/** A single statement is a transaction of one. Its caller gets the result after the commit. */
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
