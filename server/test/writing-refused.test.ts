// Long: waits for trials that the database does not confirm.
import {
  paymentBody,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { describe, expect, it } from 'vitest';
import { openDatabase, refuseUnconfirmed, transaction } from '../src/db/open.ts';

const WITHIN = { timeout: 30_000, interval: 100 };

/** Trials wait for the lock, as they would for a standby that is away. */
async function confirmNothing(service: TestService): Promise<() => Promise<void>> {
  const other = openDatabase(service.database.target, { pool: 1, patient: true });
  const held = await other.reserve();
  await held.unsafe('begin; lock table rate_budgets in exclusive mode');
  service.context.writing.doubt('silence');
  return async () => {
    await held.unsafe('rollback');
    held.release();
    await other.end();
  };
}

const writingOf = async ({ call }: TestService) => (await call('GET', '/health')).body.checks.writing;

describe('while the database confirms no writes', () => {
  it('rejects changes before any statement, serves reads, and accepts changes when commits end again', async () => {
    const { log, lines } = createLogLines();
    const service = await serviceForTest({ overrides: () => ({ log }) });
    const { call, context } = service;
    const stage = await paymentStage(service);
    const { request_id } = await pendingRequest(service, stage);
    const unused = await paymentStage(service);
    const giveBack = await confirmNothing(service);
    await expect.poll(() => writingOf(service), WITHIN).toBe('refused');

    const refused = await postRequest(service, stage);
    expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(refused.body.error.message).toContain('Nothing was done');
    const preview = { bearer: stage.connectionToken, body: paymentBody(stage) };
    expect((await readRequest(service, stage, request_id)).status).toBe(200);
    expect((await call('POST', '/v1/payment-requests/preview', preview)).status).toBe(200);
    expect((await call('GET', '/v1/merchants/current', { session: stage.merchant.session })).status).toBe(
      200,
    );
    expect((await call('GET', '/v1/request-log', { session: stage.merchant.session })).status).toBe(200);
    // It would write that the token was used.
    expect((await readRequest(service, unused, request_id)).status).toBe(503);

    const health = await call('GET', '/health');
    expect([health.status, health.body.status]).toEqual([200, 'degraded']);
    expect((await call('GET', '/ready')).status).toBe(200);
    expect((await call('GET', '/metrics')).text).toMatch(/^svc_database_writable 0$/m);

    const { serviceDb, database } = context;
    for (const db of [serviceDb, database.of(stage.merchant.merchantId)]) {
      await expect(transaction(db, (tx) => tx`select 1 as one`)).resolves.toEqual([{ one: 1 }]);
      await expect(transaction(db, (tx) => tx`select pg_current_xact_id()`)).rejects.toThrow(
        'Nothing was done',
      );
      expect(() => refuseUnconfirmed(db)).toThrow('Nothing was done');
    }

    await giveBack();
    await expect.poll(() => writingOf(service), WITHIN).toBe('ok');
    expect((await postRequest(service, stage)).status).toBe(201);
    expect((await call('GET', '/health')).body.status).toBe('ok');
    const events = lines.map((line) => JSON.parse(line).event).filter((event) => /^writing_/.test(event));
    expect(events).toEqual(['writing_refused', 'writing_back']);
  });
});
