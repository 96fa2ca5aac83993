// Slow: restarts the service twenty times under waits.
import { ConnectionClient, outcome } from '@payassent/sdk';
import { expect, it } from 'vitest';
import { freePort } from '../../stage/free-port.ts';
import { paymentStage, pendingRequest, report } from '../../stage/people/payments.ts';
import { type ServiceProcess, startProcess } from '../../stage/service/process.ts';
import { serviceForTest } from '../../stage/service/service.ts';

const RESTARTS = 20;
const TIMEOUT_MS = 1_200_000;
/** A busy machine takes its time; what is tested is who waits meanwhile. */
const READY_MS = 300_000;

it(
  'twenty restarts end no wait, and each ends with what the person decides afterwards',
  async () => {
    const service = await serviceForTest();
    const stage = await paymentStage(service);
    const port = await freePort();
    const env = { ...service.env, SVC_PORT: String(port) };
    const start = () => startProcess(env, { readyWithinMs: READY_MS });
    let running: ServiceProcess = await start();
    const connection = new ConnectionClient({
      baseUrl: `http://127.0.0.1:${port}`,
      connectionToken: stage.connectionToken,
    });
    const [first, second] = [await pendingRequest(service, stage), await pendingRequest(service, stage)];
    let ended = 0;
    const counted = <T>(wait: Promise<T>): Promise<T> =>
      wait.finally(() => {
        ended += 1;
      });
    const requests = connection.paymentRequests;
    const waits = Promise.all([
      counted(requests.waitForStatus(first.request_id, { timeoutMs: TIMEOUT_MS })),
      counted(requests.waitForStatus(second.request_id, { timeoutMs: TIMEOUT_MS })),
      counted(
        requests.waitForStatus(second.request_id, {
          statuses: ['signed', 'rejected'],
          timeoutMs: TIMEOUT_MS,
        }),
      ),
    ]);
    try {
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await running.end(restart % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
        running = await start();
      }
      expect(ended).toBe(0);
      for (const status of ['signed', 'broadcasted', 'confirmed'])
        await report(service, stage, first.request_id, {
          status,
          ...(status === 'broadcasted' ? { tx_hash: 'a'.repeat(64) } : {}),
        });
      await report(service, stage, second.request_id, { status: 'rejected', reason_code: 'no' });
      const [paid, rejected, decided] = await waits;
      expect([paid, rejected, decided].map((request) => outcome(request))).toEqual([
        'paid',
        'not_paid',
        'not_paid',
      ]);
    } finally {
      await running.end();
    }
  },
  TIMEOUT_MS,
);
