import type { Context } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { pause } from './asked-source.ts';
import { forgetBackfills } from './backfill.ts';
import { lagOf, lookAtNetwork, type Observer, type Watch } from './observer-job.ts';

const IDLE_MS = SECOND_MS / 2;
/** For one turn of the loop; a slower network continues concurrently. */
const TURN_MS = SECOND_MS;
const STUCK_AFTER_MS = 2 * MINUTE_MS;

/**
 * Looks up reported payments on their chains. Every process takes part; each payment is leased to one process at a
 * time.
 */
export const settlementJob = (observer: Observer): Job => ({
  name: 'settlement',
  everyMs: IDLE_MS,
  async run(context) {
    if (!observer.isBegun) {
      await forgetBackfills(context.db, [...context.config.observe.keys()]);
      observer.isBegun = true;
    }
    const { watches } = observer;
    if (watches.length === 0) return false;
    if (!context.stopping.aborted) for (const watch of watches) begin(context, watch);
    const turns = Promise.all(watches.map(({ turn }) => turn));
    await Promise.race([turns, pause(TURN_MS, context.stopping)]);
    // On shutdown, waiting for this turn waits for all of them.
    if (context.stopping.aborted) await turns.then(() => observer.close());
    for (const watch of watches) {
      const { fault } = watch;
      watch.fault = undefined;
      if (fault !== undefined) throw fault;
    }
    return watches.some(({ hasMore, turn }) => hasMore && !turn) && !context.stopping.aborted;
  },
});

function begin(context: Context, watch: Watch): void {
  if (watch.turn) {
    // Every call of a turn has a deadline, so a longer turn is a defect of ours: the job is unhealthy. The others
    // continue.
    if (performance.now() - watch.begunMs > STUCK_AFTER_MS)
      watch.fault = new Error(`${watch.network} is stuck`);
    return;
  }
  watch.begunMs = performance.now();
  watch.turn = lookAtNetwork(context, watch)
    .catch((error: unknown) => {
      watch.fault = error;
    })
    .finally(() => {
      watch.turn = undefined;
    });
}

/** By network, for the host. An unreachable source is a problem of its network, not of the service. */
export function settlementChecks(
  { watches }: Observer,
  now: Date,
): Record<string, { lag_s: number; sources_up: number }> {
  return Object.fromEntries(
    watches.map((watch) => [
      watch.network,
      { lag_s: lagOf(watch, now), sources_up: watch.sources.filter((source) => source.isUp()).length },
    ]),
  );
}
