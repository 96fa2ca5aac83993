// Slow: needs a distributed database.

import { isDistributedRun } from '@payassent/proof/database/layout';
import { activePolicy, autonomy, pay, report as reportPayment } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import {
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { serviceForTest } from '@payassent/proof/service/service';
import { describe, expect, test } from 'vitest';
import type { Database } from '../src/db/open.ts';

/** Statements that queried several shards, on whatever machine, since the machines were started. */
async function askedSeveral(db: Database): Promise<number> {
  const rows = await db<{ result: string }[]>`
    select result from run_command_on_all_nodes(
      'select coalesce(sum(query_execution_multi_shard), 0) from citus_stat_counters where name = current_database()')`;
  return rows.reduce((sum, row) => sum + Number(row.result), 0);
}

/** By the work alone: the service's health check queries all of them every few seconds and may fall into it. */
async function askedBy(db: Database, work: (turn: number) => Promise<void>): Promise<number> {
  for (let turn = 1; ; turn += 1) {
    const before = await askedSeveral(db);
    await work(turn);
    const asked = (await askedSeveral(db)) - before;
    if (asked === 0 || turn === 3) return asked;
  }
}

describe.skipIf(!isDistributedRun)(
  'on a distributed database, on one machine (needs SVC_TEST_CITUS=1)',
  () => {
    test('a create, its repetition, a read, a poll, reports and an agent’s list use one shard', async () => {
      const service = await serviceForTest();
      const stage = await paymentStage(service);
      // Jobs read rows of all merchants.
      await service.restart({ jobs: false });
      // Everything is read once before it is cached.
      const { request_id: first } = await pendingRequest(service, stage);
      await readRequest(service, stage, first);
      const asked = await askedBy(service.db, async (turn) => {
        const repeated = { idempotencyKey: `one machine ${turn}` };
        const { body } = await succeed(postRequest(service, stage, {}, repeated));
        await succeed(postRequest(service, stage, {}, repeated));
        const { request_id: requestId, connection_id } = body.payment_request;
        await succeed(readRequest(service, stage, requestId));
        await succeed(pollRequests(service, stage));
        for (const status of ['signed', 'broadcasted', 'confirmed'])
          await succeed(report(service, stage, requestId, { status, connection_id }));
        await succeed(pollRequests(service, stage, { since: 1 }));
        await succeed(service.call('GET', '/v1/payment-requests', { bearer: stage.connectionToken }));
        await succeed(
          service.call('GET', '/v1/payment-requests', {
            device: deviceOf(stage.device),
            query: { status: 'pending' },
          }),
        );
      });
      expect(asked).toBe(0);
    });

    test('so do a policy, a payment of an agent, its repetition, reads, reports, events and lists', async () => {
      const service = await serviceForTest();
      const world = await autonomy(service);
      await service.restart({ jobs: false });
      const asked = await askedBy(service.db, async (turn) => {
        const policy = await activePolicy(service, world);
        const agent = { apiKey: world.apiKey };
        const repeated = { ...agent, idempotencyKey: `one machine ${turn}` };
        const { id } = (await succeed(pay(service, world, '4', {}, repeated))).body.data;
        await succeed(pay(service, world, '4', {}, repeated));
        const wallet = { device: deviceOf(world.device) };
        for (const status of ['signed', 'broadcasted', 'confirmed'])
          await succeed(reportPayment(service, world, id, status));
        for (const caller of [agent, wallet])
          for (const path of [
            'agent-payments',
            `agent-payments/${id}`,
            `agent-payments/${id}/events`,
            'automation-policies',
            `automation-policies/${policy.id}`,
          ])
            await succeed(service.call('GET', `/v1/${path}`, caller));
        const { id: second } = (await succeed(pay(service, world, '4'))).body.data;
        await succeed(service.call('POST', `/v1/agent-payments/${second}/cancel`, agent));
        await succeed(service.call('DELETE', `/v1/automation-policies/${policy.id}`, wallet));
      });
      expect(asked).toBe(0);
    });

    test('a statement that names no merchant is counted', async () => {
      const { db } = await serviceForTest({ jobs: false });
      const before = await askedSeveral(db);
      await db`select from payment_requests where request_id = 'pr_unknown'`;
      expect(await askedSeveral(db)).toBeGreaterThan(before);
    });
  },
);
