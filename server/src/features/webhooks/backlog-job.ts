import { type Tx, transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { statementsOf } from '../../storage/index.ts';

/** Full endpoints that are counted again in one turn. */
const MAX_COUNTED = 10;
/** The fraction of the cap below which a full endpoint accepts deliveries again. */
const OPEN_AGAIN_AT = 0.9;

/** One process counts, whichever comes first. */
const LOCK = 'webhook backlog';

/**
 * A failing endpoint leaves its rows waiting for days. With too many of them it gets no new ones, and its record shows
 * that. Creating an event counts nothing: this job counts from time to time, a few endpoints in each turn, so an
 * endpoint may exceed the cap by what arrives meanwhile.
 */
export function backlogJob(): Job {
  /** Where the walk continues. */
  let reached = '';
  return {
    name: 'webhook-backlog',
    everyMs: 5 * SECOND_MS,
    async run(context) {
      const cap = context.config.caps.endpointDeliveries;
      if (cap === Infinity) return false;
      await transaction(context.db, async (tx) => {
        const [row] = await tx<{ is_ours: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtextextended(${LOCK}, 0)) as is_ours`;
        if (!row?.is_ours) return;
        const walk = await statementsOf(tx).findFullEndpoints(tx, reached, cap);
        reached = walk.reached;
        await closeQueues(tx, walk.full, context.clock.now());
        await openQueues(tx, Math.max(1, Math.floor(cap * OPEN_AGAIN_AT)));
      });
      return false;
    },
  };
}

async function closeQueues(tx: Tx, endpointIds: readonly string[], now: Date): Promise<void> {
  if (endpointIds.length === 0) return;
  await tx`
    update webhook_endpoints set queue_full_since = ${now}
    where webhook_endpoint_id = any(${[...endpointIds]}::text[]) and queue_full_since is null and deleted_at is null`;
}

async function openQueues(tx: Tx, most: number): Promise<void> {
  const full = await tx<{ merchant_id: string; id: string }[]>`
    select merchant_id, webhook_endpoint_id as id from webhook_endpoints where queue_full_since is not null
    order by random() limit ${MAX_COUNTED}`;
  for (const { merchant_id, id } of full) {
    const [row] = await tx<[{ count: number }]>`
      select count(*)::int as count from (
        select from webhook_deliveries
        where merchant_id = ${merchant_id} and webhook_endpoint_id = ${id} and status = 'pending' limit ${most + 1}) d`;
    if (row.count <= most)
      await tx`
        update webhook_endpoints set queue_full_since = null
        where merchant_id = ${merchant_id} and webhook_endpoint_id = ${id}`;
  }
}
