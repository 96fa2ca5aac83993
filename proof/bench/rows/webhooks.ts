import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@payassent/protocol';
import { watching } from '../../stage/faults/processes.ts';
import { startHelper } from '../../stage/load/helper.ts';
import type { ReceiverJob, ReceiverStats } from '../bare/jobs.ts';
import { type Bench, type Ground, serviceOn } from '../bench.ts';
import { listen } from '../ground/population.ts';
import { compare, type Side } from './compare.ts';

/** What one endpoint has under way at most. */
const IN_FLIGHT = 16;
const PATIENCE_MS = 120_000;
const BODY_BYTES = 1200;

/** A full queue and one receiver, against a loop that sends the same POSTs with as many under way. */
export async function measureWebhooks(bench: Bench, ground: Ground): Promise<void> {
  const { deliveries } = bench.settings;
  const { sql } = ground.database;
  const merchantId = ground.callers[0]?.merchantId ?? '';
  const receiver = startHelper<ReceiverJob, ReceiverStats>(new URL('../bare/receiver.js', import.meta.url));
  const { port } = await receiver.ask('stats');
  const url = `http://127.0.0.1:${port}`;
  const endpointId = await listen(sql, merchantId, `${url}/hook`);
  // From the first arrival to the last: growing windows and connections at the start belong to both.
  const rateOf = ({ count, firstMs, lastMs }: ReceiverStats) => (count / (lastMs - firstMs)) * 1000;
  const perDelivery = (ms: number | undefined) => (ms === undefined ? undefined : ms / deliveries);
  const ours: Side = {
    used: [],
    async rate() {
      await receiver.ask('reset');
      await fillQueue(ground, merchantId, endpointId, deliveries);
      const service = await serviceOn(ground);
      const deadline = Date.now() + PATIENCE_MS;
      const { cpuMs } = await watching([service.pid, bench.cluster.pid], async () => {
        while ((await receiver.ask('stats')).count < deliveries) {
          if (Date.now() > deadline) throw new Error('deliveries were not made in time');
          await sleep(50);
        }
      });
      const [serviceCpuMsPerCall, databaseCpuMsPerCall] = cpuMs.map(perDelivery);
      ours.used.push({ serviceCpuMsPerCall, databaseCpuMsPerCall });
      await service.stop();
      return rateOf(await receiver.ask('stats'));
    },
  };
  const bare: Side = {
    used: [],
    async rate() {
      await receiver.ask('reset');
      const body = JSON.stringify({ data: 'x'.repeat(BODY_BYTES) });
      await bench.driver.ask({ kind: 'post', url, count: deliveries, connections: IN_FLIGHT, body });
      return rateOf(await receiver.ask('stats'));
    },
  };
  await compare(bench, 'webhooks', { ours, bare }, [
    {
      what: `webhook deliveries, ${deliveries} due, one receiver`,
      limit: `a bare loop of the same POSTs, ${IN_FLIGHT} in flight`,
      reach: 0.6,
      ours: 'ours',
      against: 'bare',
    },
  ]);
  await sql`update webhook_endpoints set deleted_at = now() where webhook_endpoint_id = ${endpointId}`;
  await receiver.end();
}

/** Messages and deliveries as the statements of the service write them. */
export async function fillQueue(
  ground: Ground,
  merchantId: string,
  endpointId: string,
  count: number,
): Promise<void> {
  const { sql } = ground.database;
  const now = new Date(Date.now() - 1000);
  const ids = Array.from({ length: count }, () =>
    newId('evt', now.getTime(), (length) => randomBytes(length)),
  );
  await sql`
    with event as (select unnest(${ids}::text[]) as event_id),
    message as (
      insert into webhook_messages (event_id, merchant_id, type, body, created_at)
      select event_id, ${merchantId}, 'payment_request.created',
             '{"id":"' || event_id || '","type":"payment_request.created","data":"' || repeat('x', ${BODY_BYTES - 90}::int) || '"}', ${now}
      from event)
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select 'whd_' || substr(event_id, 5), ${endpointId}, ${merchantId}, event_id, 'payment_request.created', 1, 'pending',
           ${now}, ${now}
    from event`;
}
