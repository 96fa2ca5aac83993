import { randomUUID } from 'node:crypto';
import { activePolicy, paymentBody as agentPaymentBody, autonomy } from '@payassent/proof/people/autonomy';
import { type PaymentStage, paymentBody, paymentStage } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { activeEndpoint, eventsAt } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const NUMBERS = '[1.10,1e400,12345678901234567890,-0,1E3,0.30000,{"deep":-1.50e-3}]';
const LONG = '7'.repeat(3000);

/** Raw bytes, because JavaScript cannot send such numbers. */
async function send(
  method: string,
  path: string,
  options: { bearer?: string; apiKey?: string; key?: string; body?: string } = {},
): Promise<{ status: number; text: string; replayed: string | null }> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
      ...(options.apiKey === undefined ? {} : { 'x-svc-api-key': options.apiKey }),
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get('idempotency-replayed'),
  };
}

function withNumbers(numbers: string): string {
  const known = JSON.stringify(paymentBody(stage)).slice(0, -1);
  return `${known}, "source": {"n": ${numbers}}, "display": { "n" : ${numbers} }, "metadata": {"n": ${numbers}}}`;
}

function create(numbers: string, key = randomUUID()) {
  return send('POST', '/v1/payment-requests', {
    bearer: stage.connectionToken,
    key,
    body: withNumbers(numbers),
  });
}

function expectAll(text: string, numbers: string) {
  expect(text).toContain(`"source":{"n":${numbers},"agent_id"`);
  expect(text).toContain(`"display":{"n":${numbers}}`);
  expect(text).toContain(`"metadata":{"n":${numbers}}`);
}

describe('numbers in free-form members come back digit for digit', () => {
  it('in the response, a replay, every read and list, after a decision, and in webhooks', async () => {
    const receiver = await startHttpReceiver();
    onTestFinished(receiver.close);
    await activeEndpoint(service, stage.merchant, receiver, { event_types: ['payment_request.*'] });
    const key = randomUUID();
    const created = await create(NUMBERS, key);
    expect(created.status).toBe(201);
    expectAll(created.text, NUMBERS);
    const { request_id } = JSON.parse(created.text).payment_request as { request_id: string };

    const again = await create(NUMBERS, key);
    expect([again.status, again.replayed]).toEqual([200, 'true']);
    expectAll(again.text, NUMBERS);

    const device = deviceOf(stage.device);
    for (const bearer of [stage.connectionToken, device.token]) {
      expectAll((await send('GET', `/v1/payment-requests/${request_id}`, { bearer })).text, NUMBERS);
      expectAll((await send('GET', '/v1/payment-requests?limit=1', { bearer })).text, NUMBERS);
    }
    expectAll(
      (await send('GET', '/v1/payment-requests?wait=0&limit=1', { bearer: device.token })).text,
      NUMBERS,
    );
    const decided = await send('POST', `/v1/payment-requests/${request_id}/status`, {
      bearer: device.token,
      body: '{"status":"rejected"}',
    });
    expect(decided.status).toBe(200);
    expectAll(decided.text, NUMBERS);
    await vi.waitFor(() => expect(eventsAt(receiver)).toHaveLength(2), 10_000);
    for (const { text } of eventsAt(receiver)) expectAll(text, NUMBERS);
  });

  it('in the metadata of agent payments: response, replay, read, list, report and webhook', async () => {
    const world = await autonomy(service);
    await activePolicy(service, world);
    const receiver = await startHttpReceiver();
    onTestFinished(receiver.close);
    await activeEndpoint(service, world.merchant, receiver, { event_types: ['agent_payment.*'] });
    const { apiKey } = world;
    const key = randomUUID();
    const pay = (numbers: string) =>
      send('POST', '/v1/agent-payments', {
        apiKey,
        key,
        body: `${JSON.stringify(agentPaymentBody(world, '1')).slice(0, -1)},"metadata":{"n":${numbers}}}`,
      });
    const shown = `"metadata":{"n":${NUMBERS}}`;
    const made = await pay(NUMBERS);
    expect(made.status).toBe(201);
    const { id } = JSON.parse(made.text).data as { id: string };
    const bearer = deviceOf(world.device).token;
    const answers = [
      made,
      await pay(NUMBERS),
      await send('GET', `/v1/agent-payments/${id}`, { apiKey }),
      await send('GET', '/v1/agent-payments', { bearer }),
      await send('POST', `/v1/agent-payments/${id}/status`, { bearer, body: '{"status":"signed"}' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
    for (const { text } of answers) expect(text).toContain(shown);
    expect((await pay('1.10')).status).toBe(422);
    await vi.waitFor(() => expect(eventsAt(receiver)).toHaveLength(2), 10_000);
    for (const { text } of eventsAt(receiver)) expect(text).toContain(shown);
  });

  it('however long they are, within the size of the member', async () => {
    const created = await create(LONG);
    expect(created.status).toBe(201);
    expectAll(created.text, LONG);
    const tooLong = await create('7'.repeat(8200));
    expect(tooLong.status).toBe(400);
    expect(tooLong.text).toContain('"field":"display","code":"too_long"');
  });

  it('and two that differ are two intents', async () => {
    const key = randomUUID();
    expect((await create('12345678901234567890', key)).status).toBe(201);
    expect((await create('12345678901234567890', key)).status).toBe(200);
    expect((await create('12345678901234567891', key)).status).toBe(422);
    expect((await create('"12345678901234567890"', key)).status).toBe(200);
  });

  it('in a context, as posted and as read by agent and wallet, each revision for itself', async () => {
    const id = randomUUID();
    const post = (numbers: string) =>
      send('POST', '/v1/transaction-contexts', {
        bearer: stage.connectionToken,
        body: `{"transaction_id":"${id}","title":"x","line_items":[${numbers}],"extra":{"n":${numbers}}}`,
      });
    const first = await post(NUMBERS);
    expect(first.status).toBe(201);
    await post('2.0');
    const shown = (numbers: string) => `"title":"x","line_items":[${numbers}],"extra":{"n":${numbers}}`;
    expect(first.text).toContain(shown(NUMBERS));
    for (const bearer of [stage.connectionToken, deviceOf(stage.device).token]) {
      const old = await send('GET', `/v1/transaction-contexts/${id}?revision=1`, { bearer });
      expect(old.text).toContain(shown(NUMBERS));
      expect((await send('GET', `/v1/transaction-contexts/${id}`, { bearer })).text).toContain(shown('2.0'));
    }
  });

  it('while numbers elsewhere are judged by their value', async () => {
    const created = await create('1');
    const { connection_id } = JSON.parse(created.text).payment_request as { connection_id: string };
    expect(connection_id).toBe(stage.connectionId);
    const odd = await send('POST', '/v1/payment-requests', {
      bearer: stage.connectionToken,
      key: randomUUID(),
      body: `${withNumbers('1').slice(0, -1)},"expires_at":1e400}`,
    });
    expect(odd.status).toBe(400);
    expect(odd.text).toContain('"field":"expires_at","code":"invalid_type"');
  });
});
