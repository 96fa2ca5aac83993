import { paymentStage } from '@payassent/proof/people/payments';
import { fillQueue } from '@payassent/proof/people/webhooks';
import { backloggedService, readMetrics } from '@payassent/proof/service/metrics';
import { serviceForTest } from '@payassent/proof/service/service';
import { HAS_PROMETHEUS, promtool } from '@payassent/proof/surroundings/prometheus';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

const WAITED_S = 2 * 86_400;

describe('metrics', () => {
  it.skipIf(!HAS_PROMETHEUS)(
    'follow the naming rules of Prometheus (needs the programs prometheus and promtool)',
    async () => {
      const service = await serviceForTest();
      await paymentStage(service);
      const { text } = await service.call('GET', '/metrics');
      expect(promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' });
    },
  );

  it('show what waits in every queue, and for how long', async () => {
    const service = await backloggedService();
    onTestFinished(() => service.close());
    service.clock.advance(WAITED_S * 1000);
    const metrics = await readMetrics(service);
    const queues = [
      'webhooks',
      'pending_requests',
      'overdue_requests',
      'mails',
      'transparency_log',
      'audit_chain',
    ];
    for (const queue of queues) {
      expect([queue, metrics.get(`svc_queue_size{queue="${queue}"}`)]).not.toEqual([queue, 0]);
      const age = metrics.get(`svc_queue_oldest_seconds{queue="${queue}"}`) ?? 0;
      // What is overdue was due after its own time.
      expect([queue, age > (queue === 'overdue_requests' ? 60 : WAITED_S - 1)]).toEqual([queue, true]);
    }
    expect(metrics.get('svc_webhook_deliveries{state="due"}')).toBeGreaterThan(0);
    expect(metrics.get('svc_webhook_deliveries{state="parked"}')).toBe(0);
  });

  it('count a long queue no further than to their bound', async () => {
    const service = await serviceForTest({ jobs: false });
    const endpoints = Array.from({ length: 12 }, (_, index) => `whe_${String(index).padStart(26, '0')}`);
    await fillQueue(service.db, 'mer_00000000000000000000000000', endpoints, 1_100, service.clock.now());
    const metrics = await readMetrics(service);
    expect(metrics.get('svc_webhook_deliveries{state="due"}')).toBe(10_000);
  });

  it('show how the pool of connections is used, also while every one of them is held', async () => {
    const service = await serviceForTest({ jobs: false });
    const before = await readMetrics(service);
    expect(before.get('svc_database_pool_waiting{pool="service"}')).toBe(0);
    const size = before.get('svc_database_pool_size{pool="service"}') ?? 0;
    expect(size).toBeGreaterThan(0);
    const other = openDatabase(service.database.target, { pool: 1, patient: true });
    const held = await other.reserve();
    await held.unsafe('begin; lock table wallets in access exclusive mode');
    const enrolments = Array.from({ length: 3 * size }, () =>
      service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } }),
    );
    await expect
      .poll(async () => (await readMetrics(service)).get('svc_database_pool_waiting{pool="service"}'))
      .toBeGreaterThan(0);
    const full = await readMetrics(service);
    expect(full.get('svc_database_pool_in_use{pool="service"}')).toBe(size);
    await held.unsafe('rollback');
    held.release();
    await Promise.all(enrolments);
    await other.end();
  });

  it('keep calls that requested a wait apart from the others, and count rejections by limit', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'device_enrolment=2/h' } });
    const limit = 'svc_rate_limit_hits_total{limit="device_enrolment"}';
    expect((await readMetrics(service)).get(limit)).toBe(0);
    const stage = await paymentStage(service);
    for (let turn = 0; turn < 4; turn += 1)
      await service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' } });
    const bearer = stage.connectionToken;
    for (const query of [{}, { wait: 1 }])
      expect((await service.call('GET', '/v1/payment-requests/events', { bearer, query })).status).toBe(200);
    const metrics = await readMetrics(service);
    expect(metrics.get(limit)).toBe(3);
    const counts = [...metrics].filter(
      ([name]) => name.includes('_count{') && name.includes('route="/v1/payment-requests/events"'),
    );
    expect(counts.map(([name, count]) => [/waited="(\w+)"/.exec(name)?.[1], count])).toEqual([
      ['no', 1],
      ['yes', 1],
    ]);
  });

  it('that alerts use are there before anything has happened: the first event is seen', async () => {
    const service = await serviceForTest();
    const names = [
      'svc_refused_total{code="internal_error"}',
      'svc_refused_total{code="unavailable"}',
      'svc_database_faults_total{fault="storage"}',
      'svc_job_failures_total{job_name="webhooks"}',
      'svc_job_stalled{job_name="webhooks"}',
      'svc_webhook_attempts_total{outcome="failed"}',
    ];
    const values = async () => {
      const metrics = await readMetrics(service);
      return names.map((name) => metrics.get(name));
    };
    await expect.poll(values).toEqual(names.map(() => 0));
  });
});
