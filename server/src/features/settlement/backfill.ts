import type { Network } from '@payassent/protocol';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { addMs } from '../../lib/clock.ts';
import type { SettledKind } from '../observations/settlement-json.ts';
import { watch } from '../observations/watch.ts';
import { WATCHED_FOR_MS } from './queue-sql.ts';

const BATCH = 1000;

/**
 * When a network is first observed, payments of the last seven days are queued, by a walk over the records in the order
 * of their key, a batch at a time. It resumes where a stopped process was.
 */
export async function backfill(db: Database, network: Network, now: Date): Promise<boolean> {
  let more = false;
  for (const kind of ['payment_request', 'agent_payment'] as const)
    more = (await transaction(db, (tx) => takeUp(tx, network, kind, now))) || more;
  return more;
}

async function takeUp(tx: Tx, network: Network, kind: SettledKind, now: Date): Promise<boolean> {
  await tx`
    insert into observation_backfills (network, kind, after) values (${network}, ${kind}, '{}')
    on conflict do nothing`;
  // Another running process does it.
  const [place] = await tx<{ after: string[] }[]>`
    select after from observation_backfills
    where network = ${network} and kind = ${kind} and not is_done for update skip locked`;
  if (!place) return false;
  const page = await takePage(tx, network, kind, place.after, now);
  const isDone = page.count < BATCH;
  await tx`
    update observation_backfills set after = ${page.last ?? place.after}, is_done = ${isDone}
    where network = ${network} and kind = ${kind}`;
  return !isDone;
}

/** The page may be of several nodes, so it is read first, and what is to be watched of it is written to each. */
async function takePage(
  tx: Tx,
  network: Network,
  kind: SettledKind,
  after: readonly string[],
  now: Date,
): Promise<{ last: string[] | null; count: number }> {
  const page = await tx<{ key: string[]; updated_at: Date }[]>`
    ${kind === 'payment_request' ? requestsAfter(tx, after) : paymentsAfter(tx, after)}`;
  const young = page.filter((row) => row.updated_at > addMs(now, -WATCHED_FOR_MS));
  const rows = tx`(
    select * from json_to_recordset(${JSON.stringify(young)}::text::json) as p(
      merchant_id id, connection_id id, request_id id, agent_payment_id id, network text, tx_hash text, status text,
      updated_at timestamptz))`;
  if (young.length > 0) await watch(tx, kind, rows, [network], now);
  return { last: page.at(-1)?.key ?? null, count: page.length };
}

function requestsAfter(tx: Tx, [merchantId = '', requestId = '', connectionId = '']: readonly string[]) {
  return tx`
    select *, array[merchant_id, request_id, connection_id]::text[] collate "C" as key from payment_requests
    where (merchant_id, request_id, connection_id) > (${merchantId}::id, ${requestId}::id, ${connectionId}::id)
    order by merchant_id, request_id, connection_id limit ${BATCH}`;
}

function paymentsAfter(tx: Tx, [paymentId = '']: readonly string[]) {
  return tx`
    select *, array[agent_payment_id]::text[] collate "C" as key from agent_payments
    where agent_payment_id > ${paymentId}::id order by agent_payment_id limit ${BATCH}`;
}

/** A network that is no longer observed is backfilled again when it is. */
export async function forgetBackfills(db: Database, observed: readonly Network[]): Promise<void> {
  await db`delete from observation_backfills where network <> all(${[...observed]}::text[])`;
}
