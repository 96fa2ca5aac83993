// Slow: waits for keep-alives and for the end of a credential, and loses a process.
import { usableAgent } from '@payassent/proof/people/agents';
import { succeed } from '@payassent/proof/people/merchants';
import {
  allEvents,
  type PaymentStage,
  paymentStage,
  pendingRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import { openStream } from '@payassent/proof/service/event-stream';
import { startProcess } from '@payassent/proof/service/process';
import { freePort, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const EVENTS = '/v1/payment-requests/events';
const PATIENCE = { timeout: 60_000, interval: 20 };

async function freshConnection(): Promise<PaymentStage> {
  return { ...stage, ...(await connect(service, stage.agent, stage.device)) };
}

async function causeEvent(own: PaymentStage): Promise<void> {
  const { request_id } = await pendingRequest(service, own);
  await succeed(report(service, own, request_id, { status: 'rejected' }));
}

const open = (own: PaymentStage, sent: Parameters<typeof openStream>[3] = {}) =>
  openStream(service.url, EVENTS, own.connectionToken, sent);

describe('a stream of events', () => {
  it('signals that it is still there', async () => {
    const stream = await open(await freshConnection());
    await expect.poll(() => stream.comments, PATIENCE).toBeGreaterThanOrEqual(2);
  });

  it('ends when the last credential of its agent expires', async () => {
    const soon = new Date(service.clock.now().getTime() + 8_000).toISOString();
    const agent = await usableAgent(service, stage.merchant, { expires_at: soon });
    const stream = await open({ ...stage, agent, ...(await connect(service, agent, stage.device)) });
    expect(stream.status).toBe(200);
    await stream.over();
  });
});

describe('streams', () => {
  it('get the events of other processes, and one that loses its process continues at another without a gap', async () => {
    const own = await freshConnection();
    const start = async () => {
      const process = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
      onTestFinished(async () => void (await process.end('SIGKILL')));
      return process;
    };
    const [first, second] = await Promise.all([start(), start()]);
    const lost = await openStream(first.address, EVENTS, own.connectionToken);
    for (let turn = 0; turn < 3; turn += 1) await causeEvent(own);
    await lost.reached(3);
    await first.end('SIGKILL');
    await lost.over();
    await causeEvent(own);
    const last = lost.messages.at(-1)?.id ?? '';
    const next = await openStream(second.address, EVENTS, own.connectionToken, {
      headers: { 'last-event-id': last },
    });
    await causeEvent(own);
    await next.reached(2);
    const seen = [...lost.messages, ...next.messages].map(({ data }) => data);
    expect(seen).toEqual(await allEvents(service, own));
    await succeed(
      service.call('DELETE', `/v1/connections/${own.connectionId}`, { device: deviceOf(own.device) }),
    );
    await next.over();
  });
});
