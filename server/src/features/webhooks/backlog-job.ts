import { isDistributed } from '../../db/layout.ts';
import { type Tx, transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { SECOND_MS } from '../../lib/clock.ts';

/** Steps of one turn: endpoints with waiting rows, and those among them that are counted to the cap. */
const MAX_STEPS = 200;
const MAX_COUNTED = 10;
/** Fewer waiting rows than this are no backlog, and not worth counting further. */
const WORTH_COUNTING = 1_000;
/** Part of the cap below which a full endpoint takes deliveries again. */
const OPEN_AGAIN_AT = 0.9;

/** One process looks, whichever comes first. */
const LOCK = 'webhook backlog';

/**
 * An endpoint that died leaves its rows waiting for days. With too many of them it gets no new ones, and its record says
 * so. Nobody counts when an event is made: this looks from time to time, a few endpoints in each turn, so an endpoint may
 * be over the cap by what arrives meanwhile.
 */
export function backlogJob(): Job {
  /** Where the walk goes on. */
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
        const walk = await findFull(tx, reached, cap);
        reached = walk.reached;
        await closeQueues(tx, walk.full, context.clock.now());
        await openQueues(tx, Math.max(1, Math.floor(cap * OPEN_AGAIN_AT)));
      });
      return false;
    },
  };
}

/** Goes on behind `behind`, from one endpoint to the next in the index of waiting rows. */
async function findFull(tx: Tx, behind: string, cap: number): Promise<{ full: string[]; reached: string }> {
  if (isDistributed(tx)) return findFullOnMachines(tx, behind, cap);
  const rows = await tx<{ id: string; steps: number; is_full: boolean }[]>`
    with recursive walk as (
      select ${behind}::text collate "C" as id, 0 as steps
      union all
      select next.id, walk.steps + 1
      from walk cross join lateral (
        select d.webhook_endpoint_id::text collate "C" as id from webhook_deliveries d
        where d.status = 'pending' and d.webhook_endpoint_id > walk.id
        order by d.webhook_endpoint_id limit 1
      ) next
      where walk.steps < ${MAX_STEPS}
    ), many as (
      select id, steps from walk
      where steps > 0 and exists (
        select from webhook_deliveries d where d.webhook_endpoint_id = walk.id and d.status = 'pending'
        offset ${Math.min(WORTH_COUNTING, cap) - 1} limit 1)
      order by steps limit ${MAX_COUNTED}
    )
    select id, steps, exists (
        select from webhook_deliveries d where d.webhook_endpoint_id = many.id and d.status = 'pending'
        offset ${cap - 1} limit 1) as is_full
    from many
    union all
    (select id, steps, false from walk where steps = ${MAX_STEPS})
    order by steps`;
  const counted = rows.filter((row) => row.steps < MAX_STEPS);
  const last = counted.length === MAX_COUNTED ? counted.at(-1) : rows.at(-1);
  // Neither end was met: it came all the way round, and begins again.
  const isRound = counted.length < MAX_COUNTED && rows.at(-1)?.steps !== MAX_STEPS;
  return {
    full: rows.filter((row) => row.is_full).map((row) => row.id),
    reached: isRound ? '' : (last?.id ?? ''),
  };
}

/** Over several machines there is no walk: each counts what waits on it. */
async function findFullOnMachines(
  tx: Tx,
  behind: string,
  cap: number,
): Promise<{ full: string[]; reached: string }> {
  const rows = await tx<{ id: string }[]>`
    select webhook_endpoint_id as id from webhook_deliveries
    where status = 'pending' and webhook_endpoint_id > ${behind}
    group by merchant_id, webhook_endpoint_id having count(*) >= ${cap}
    order by webhook_endpoint_id limit ${MAX_COUNTED}`;
  const full = rows.map((row) => row.id);
  return { full, reached: full.length === MAX_COUNTED ? (full.at(-1) ?? '') : '' };
}

async function closeQueues(tx: Tx, endpointIds: readonly string[], now: Date): Promise<void> {
  if (endpointIds.length === 0) return;
  await tx`
    update webhook_endpoints set queue_full_since = ${now}
    where webhook_endpoint_id = any(${[...endpointIds]}::text[]) and queue_full_since is null and deleted_at is null`;
}

async function openQueues(tx: Tx, most: number): Promise<void> {
  if (isDistributed(tx)) return openQueuesOnMachines(tx, most);
  await tx`
    update webhook_endpoints e set queue_full_since = null
    where e.webhook_endpoint_id in (
        select webhook_endpoint_id from webhook_endpoints where queue_full_since is not null
        order by random() limit ${MAX_COUNTED})
      and not exists (
        select from webhook_deliveries d
        where d.webhook_endpoint_id = e.webhook_endpoint_id and d.status = 'pending'
        offset ${most} limit 1)`;
}

async function openQueuesOnMachines(tx: Tx, most: number): Promise<void> {
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
