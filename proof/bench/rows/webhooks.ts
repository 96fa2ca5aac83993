import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@payassent/protocol';
import { ROOT } from '../../stage/root.ts';
import { type Bench, type Ground, serviceOn } from '../bench.ts';
import { endChild } from '../helper.ts';
import { watching } from '../processes.ts';
import { listen } from '../stage/population.ts';
import { takeTurns } from '../statistics.ts';
import { medianCpu, record } from './compare.ts';

/** What one endpoint has under way at most. */
const IN_FLIGHT = 16;
const PATIENCE_MS = 120_000;
const torture = (name: string) => join(ROOT, 'proof/torture/webhooks', name);

interface ReceiverStats {
  count: number;
  firstMs: number;
  lastMs: number;
  repeated: number;
}

/** A full queue and one receiver, against a loop that sends the same POSTs with as many under way. */
export async function measureWebhooks(bench: Bench, ground: Ground): Promise<void> {
  const { deliveries, rounds } = bench.settings;
  const { sql } = ground.database;
  const merchantId = ground.callers[0]?.merchantId ?? '';
  const receiver = fork(torture('receiver.mjs'), ['0']);
  const endReceiver = bench.disposal.add(() => endChild(receiver));
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
  const endpointId = await listen(sql, merchantId, `${url}/hook`);
  const stats = async () => (await (await fetch(`${url}/stats`)).json()) as ReceiverStats;
  // From the first arrival to the last: growing windows and connections at the start belong to both.
  const rateOf = ({ count, firstMs, lastMs }: ReceiverStats) => (count / (lastMs - firstMs)) * 1000;
  const legs: { serviceCpuMsPerCall: number | undefined; databaseCpuMsPerCall: number | undefined }[] = [];
  const taken = await takeTurns(rounds, {
    ours: async () => {
      await fetch(`${url}/reset`);
      await fillQueue(ground, merchantId, endpointId, deliveries);
      const service = await serviceOn(bench, ground);
      const deadline = Date.now() + PATIENCE_MS;
      const { cpuMs } = await watching([service.pid, bench.cluster.pid], async () => {
        while ((await stats()).count < deliveries) {
          if (Date.now() > deadline) throw new Error('deliveries were not made in time');
          await sleep(50);
        }
      });
      const perDelivery = (ms: number | undefined) => (ms === undefined ? undefined : ms / deliveries);
      legs.push({ serviceCpuMsPerCall: perDelivery(cpuMs[0]), databaseCpuMsPerCall: perDelivery(cpuMs[1]) });
      await service.stop();
      return rateOf(await stats());
    },
    bare: async () => {
      await fetch(`${url}/reset`);
      const body = JSON.stringify({ data: 'x'.repeat(BODY_BYTES) });
      const loop = spawn(process.execPath, [
        torture('bare-loop.mjs'),
        `${url}/bare`,
        String(deliveries),
        String(IN_FLIGHT),
        body,
      ]);
      const ended = bench.disposal.add(() => endChild(loop));
      const [code] = await once(loop, 'exit');
      await ended();
      if (code !== 0) throw new Error(`the bare loop ended with ${code}`);
      return rateOf(await stats());
    },
  });
  await sql`update webhook_endpoints set deleted_at = now() where webhook_endpoint_id = ${endpointId}`;
  await endReceiver();
  record(bench, {
    row: 'webhooks',
    what: `webhook deliveries, ${deliveries} due, one receiver`,
    limit: `a bare loop of the same POSTs, ${IN_FLIGHT} in flight`,
    reach: 0.6,
    ours: taken.ours,
    limits: taken.bare,
    cpu: medianCpu(legs),
  });
}

const BODY_BYTES = 1200;

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
