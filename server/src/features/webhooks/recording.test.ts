import { isDistributedRun } from '@payassent/proof/database/layout';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activeEndpoint,
  causeEvents,
  createEndpoint,
  fillQueue,
  forceActive,
  until,
} from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/open.ts';
import { claimDeliveries } from './claim-sql.ts';
import { createOutcomeWriter, LEASE_MS } from './worker-state.ts';

const ENDED = 600;
const WAITING = 5_000;
const EVENTS = 20;

let service: TestService;
let receiver: TestReceiver;
beforeAll(async () => {
  service = await startService();
  receiver = await startHttpReceiver();
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

it('an endpoint that hangs holds up neither the sending nor the recording of others', async () => {
  const hung = await startHttpReceiver();
  onTestFinished(() => hung.close());
  hung.script({ kind: 'never' });
  const shop = await verifiedMerchant(service);
  const { endpointId: healthy } = await activeEndpoint(service, shop, receiver);
  const { endpointId: hanging } = await createEndpoint(service, shop, { url: hung.url });
  await forceActive(service.db, hanging);
  await fillQueue(service.db, shop.merchantId, [hanging], EVENTS, service.clock.now());
  await until(() => hung.requests.length > 0);
  const events = await causeEvents(service.context, shop.merchantId, EVENTS);
  const over = (endpointId: string) => service.db`
    select from webhook_deliveries
    where webhook_endpoint_id = ${endpointId} and event_type <> 'webhook.verification'
      and status in ('delivered', 'failed')`;
  await until(async () => (await over(healthy)).length === events.length, 60_000);
  expect(await over(hanging)).toHaveLength(0);
});

// Counts what a single PostgreSQL reads of an index.
it.skipIf(isDistributedRun)(
  `${ENDED} attempts that end together are recorded by one statement, which reads none of those that wait`,
  async () => {
    const shop = await verifiedMerchant(service);
    const { endpointId, version } = await activeEndpoint(service, shop, receiver);
    // Nothing else reads the queue meanwhile, not even a running job.
    await service.restart({ jobs: false });
    const statements: string[] = [];
    const db = openDatabase(service.database.target, {
      pool: 1,
      onStatement: (text) => statements.push(text),
    });
    onTestFinished(() => db.end());
    const now = service.clock.now();
    await fillQueue(service.db, shop.merchantId, [endpointId], ENDED + WAITING, now);
    const share = { merchantId: shop.merchantId, endpointId, version, count: ENDED };
    const held = await claimDeliveries(db, [share], 'ours', now, new Date(now.getTime() + LEASE_MS));
    expect(held).toHaveLength(ENDED);
    const entriesRead = async () => {
      await db`select pg_stat_force_next_flush()`;
      const [row] = await service.db<{ entries: number }[]>`
      select idx_tup_read as entries from pg_stat_user_indexes where indexrelname = 'webhook_deliveries_due'`;
      return row?.entries ?? 0;
    };
    const before = await entriesRead();

    const counted: [string, number][] = [];
    const writer = createOutcomeWriter(
      db,
      (error) => expect.fail(String(error)),
      (outcome, count) => counted.push([outcome, count]),
    );
    statements.length = 0;
    for (const { merchant_id, delivery_id } of held)
      writer.add({
        endpointId,
        endedAt: now,
        leaseEndMs: Number.POSITIVE_INFINITY,
        record: {
          merchant_id,
          delivery_id,
          lease: 'ours',
          status: 'delivered',
          http_status: 200,
          error_class: null,
          duration_ms: 1,
          attempted_at: now,
          next: null,
        },
      });
    await writer.settled();
    expect(statements).toHaveLength(1);
    expect(counted).toEqual([['delivered', ENDED]]);
    expect((await entriesRead()) - before).toBeLessThan(WAITING);
    const [row] = await service.db<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries
    where webhook_endpoint_id = ${endpointId} and status = 'delivered' and event_type <> 'webhook.verification'`;
    expect(row?.count).toBe(ENDED);
  },
);
