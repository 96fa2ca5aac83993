// Slow: needs a distributed database.
import { randomUUID } from 'node:crypto';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { paymentStage, postRequest, report } from '@payassent/proof/people/payments';
import { causeEvents } from '@payassent/proof/people/webhooks';
import { serviceForTest } from '@payassent/proof/service/service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

const CLIENTS = 3;
const AROUND_MS = 400;

describe.skipIf(!isDistributedRun)(
  'on a distributed database, while a shard is split (needs SVC_TEST_CITUS=1)',
  () => {
    it('nothing that was acknowledged is written into the shard that goes', async () => {
      const service = await serviceForTest();
      const owner = openDatabase(service.database.target, { pool: 1, patient: true });
      onTestFinished(() => owner.end());
      const stages = [await paymentStage(service), await paymentStage(service)];
      // No one delivers to endpoints that are not there.
      await service.restart({ jobs: false });
      const refused: unknown[] = [];
      for (const stage of stages) {
        const { merchantId } = stage.merchant;
        await owner`
        insert into webhook_endpoints
          (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box, created_at, updated_at)
        values ('whe_a', ${merchantId}, 'https://hook.example', '{*}', 'active', 'key', '', now(), now())`;
        const created: string[] = [];
        const decided: string[] = [];
        const said: string[] = [];
        let isOver = false;
        const repeat = (work: () => Promise<void>) =>
          Array.from({ length: CLIENTS }, async () => {
            while (!isOver) await work();
          });
        const busy = [
          ...repeat(async () => {
            const made = await postRequest(service, stage, {}, { idempotencyKey: randomUUID() });
            if (made.status >= 300) return void refused.push(made.body);
            const { request_id: id } = made.body.payment_request;
            created.push(id);
            const rejected = await report(service, stage, id, { status: 'rejected' });
            if (rejected.status < 300) decided.push(id);
            else refused.push(rejected.body);
          }),
          ...repeat(async () => {
            const events = await causeEvents(service.context, merchantId, 1).catch((error: unknown) => {
              refused.push(error);
              return [];
            });
            said.push(...events);
          }),
        ];
        const pause = () => new Promise((resolve) => setTimeout(resolve, AROUND_MS));
        await pause();
        await owner`
        select isolate_tenant_to_new_shard(
          'payment_requests', ${merchantId}::text, 'CASCADE', shard_transfer_mode := 'block_writes')`;
        await pause();
        isOver = true;
        await Promise.all(busy);
        const idsOf = async (text: string) =>
          new Set((await owner.unsafe(text, [merchantId])).map((row) => String(row['id'])));
        const requests = await idsOf('select request_id as id from payment_requests where merchant_id = $1');
        const ended = await idsOf(
          `select request_id as id from payment_request_events where merchant_id = $1 and status = 'rejected'`,
        );
        const messages = await idsOf('select event_id as id from webhook_messages where merchant_id = $1');
        expect(created.filter((id) => !requests.has(id))).toEqual([]);
        expect(decided.filter((id) => !ended.has(id))).toEqual([]);
        expect(said.length).toBeGreaterThan(0);
        expect(said.filter((id) => !messages.has(id))).toEqual([]);
      }
      // Calls that waited got an error that invites a retry.
      expect(refused.length).toBeGreaterThan(0);
    });
  },
);
