import { setTimeout as pause } from 'node:timers/promises';
import type postgres from '../../vendor/postgres/src/index.js';
import { StartError } from '../errors.ts';
import { type ConnectionTarget, isPreparing, openDatabase } from './open.ts';

/**
 * How statements of one connection reach the server: `direct`, or through a pooler that keeps one backend for each
 * `session`, or through one that may assign another to every `transaction`.
 */
export type Pooling = 'direct' | 'session' | 'transaction';

/** Rejects an address where prepared statements, session locks or LISTEN would reach another client's backend. */
export class PoolerError extends StartError {
  constructor(variable: string, fix: string) {
    super(
      `${variable} leads to a pooler that gives each transaction another connection to PostgreSQL (as PgBouncer does with pool_mode=transaction or statement). ` +
        `Callers would get other callers' results. ${fix}`,
    );
    this.name = 'PoolerError';
  }
}

export const POOLER_FIXES = {
  DATABASE_URL:
    'Set pool_mode=session for this service, or add prepare=false to the query of DATABASE_URL and set SVC_DATABASE_SESSION_URL to an address without such a pooler.',
  SVC_DATABASE_SESSION_URL: 'Set it to the server itself, or to a pooler with pool_mode=session.',
} as const;

/** Rejects an address that cannot be used as configured; returns what was found there. */
export async function proveAddress(
  target: ConnectionTarget,
  variable: keyof typeof POOLER_FIXES,
  mayChangeBackend: boolean,
): Promise<Pooling> {
  const pooling = await findPooling(target);
  if (pooling === 'transaction' && !(mayChangeBackend && !isPreparing(target)))
    throw new PoolerError(variable, POOLER_FIXES[variable]);
  return pooling;
}

type Connection = postgres.ReservedSql<{ bigint: number }>;

const TURNS = 8;
const PATIENCE_MS = 1_000;

/**
 * Without a pooler the server announces the very process that responds. Behind one it does not, so two connections take
 * turns: each holds a backend, both release it, and the first one queries several times. A pooler that hands out free
 * backends gives it the other one, whichever way it chooses among them; one with a single backend gives both the same.
 */
async function findPooling(target: ConnectionTarget): Promise<Pooling> {
  const db = openDatabase(target, { pool: 2, prepare: false });
  const reserved: Connection[] = [];
  const reserve = async () => {
    const connection = await db.reserve();
    reserved.push(connection);
    return connection;
  };
  try {
    const first = await reserve();
    const announced = await first.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
    if (announced[0]?.pid === announced.state.pid) return 'direct';
    return (await changesBackend(first, await reserve())) ? 'transaction' : 'session';
  } finally {
    // `end` waits its whole time-out for a connection that is still reserved: a second of every start.
    for (const connection of reserved) connection.release();
    await db.end({ timeout: 1 });
  }
}

async function changesBackend(first: Connection, second: Connection): Promise<boolean> {
  await first.unsafe('begin');
  const mine = await backendOf(first);
  const waiting = second.unsafe('begin').then(() => backendOf(second));
  waiting.catch(() => {});
  // With a single backend the second one waits for the first to be released.
  await Promise.race([waiting, pause(PATIENCE_MS, undefined, { ref: false })]);
  await first.unsafe('commit');
  const hers = await waiting;
  await second.unsafe('commit');
  if (hers === mine) return true;
  for (let turn = 0; turn < TURNS; turn += 1) if ((await backendOf(first)) !== mine) return true;
  return false;
}

async function backendOf(connection: Connection): Promise<number | undefined> {
  const [row] = await connection.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
  return row?.pid;
}
