import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { newHash, startHorizons } from '@payassent/proof/people/settlements';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import {
  type AgentPaymentEvent,
  AgentPaymentsClient,
  isPayAssentError,
  type PaymentRequestEvent,
} from '@payassent/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
let world: World;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
let person: AgentPaymentsClient;
beforeAll(async () => {
  const started = await startHorizons(1);
  ({ horizons, close } = started);
  service = await startService(started.options);
  world = await wholeWorld(service);
  const { session_token } = await world.merchant.access.createAdminSession();
  person = new AgentPaymentsClient({ baseUrl: service.url, sessionToken: session_token });
});
afterAll(async () => {
  await service.close();
  await close();
});

async function ask() {
  const input = { recipient_id: world.payee.recipientId, payment: { amount: '3' } };
  return (await world.connection.paymentRequests.create(input)).payment_request;
}

it('a wait for the settlement ends with the final state on the chain, whatever the wallet reports', async () => {
  const { connection, wallet } = world;
  const { request_id, connection_id, payment } = await ask();
  const txHash = newHash();
  const waiting = connection.paymentRequests.waitForSettlement(request_id, { timeoutMs: 120_000 });
  await wallet.paymentRequests.reportStatus(request_id, { status: 'signed', connection_id });
  for (const horizon of horizons) horizon.has(txHash, { ...payment, amount: '2' });
  const sent = { status: 'broadcasted' as const, tx_hash: txHash, connection_id };
  await wallet.paymentRequests.reportStatus(request_id, sent);
  const { status, settlement } = await waiting;
  expect(status).toBe('broadcasted');
  expect(settlement).toMatchObject({
    state: 'mismatch',
    differences: [{ fact: 'amount', pinned: '3', observed: '2' }],
  });
});

it('a wait for the settlement ends with a request that has no transaction, and after its time', async () => {
  const { connection, wallet } = world;
  const rejected = await ask();
  const report = { status: 'rejected' as const, connection_id: rejected.connection_id };
  await wallet.paymentRequests.reportStatus(rejected.request_id, report);
  const ended = await connection.paymentRequests.waitForSettlement(rejected.request_id);
  expect(ended).toMatchObject({ status: 'rejected', settlement: null });
  const { request_id } = await ask();
  const late = await connection.paymentRequests
    .waitForSettlement(request_id, { timeoutMs: 50 })
    .catch((error: unknown) => error);
  expect(isPayAssentError(late) && late.code).toBe('wait_timeout');
  await expect(
    connection.paymentRequests.waitForSettlement(request_id, { states: ['paid' as never] }),
  ).rejects.toThrow('states is a list out of unknown');
});

function submit() {
  const { connectionId: connection_id, payee } = world;
  const place = { network: 'stellar_testnet', asset: 'XLM' } as const;
  const input = { connection_id, ...place, amount: '3', recipient_id: payee.recipientId };
  return person.payments.create({ ...input, initiated_by: 'human' });
}

it('a wait for the settlement of an agent payment ends alike for the one who submitted it and for the agent', async () => {
  const { connection, wallet } = world;
  const { id, to } = await submit();
  const txHash = newHash();
  const waiting = Promise.all([
    person.payments.waitForSettlement(id, { timeoutMs: 120_000 }),
    connection.agentPayments.waitForSettlement(id, { timeoutMs: 120_000 }),
  ]);
  await wallet.agentPayments.reportStatus(id, { status: 'signed' });
  for (const horizon of horizons) horizon.has(txHash, { to, amount: '2' });
  await wallet.agentPayments.reportStatus(id, { status: 'broadcasted', tx_hash: txHash });
  for (const { status, settlement } of await waiting) {
    expect(status).toBe('broadcasted');
    const differences = [{ fact: 'amount', pinned: '3', observed: '2' }];
    expect(settlement).toMatchObject({ state: 'mismatch', differences });
  }
});

it('a wait for the settlement of an agent payment ends with one that has no transaction, and after its time', async () => {
  const { agentPayments } = world.connection;
  const { id } = await submit();
  const late = await agentPayments.waitForSettlement(id, { timeoutMs: 50 }).catch((error: unknown) => error);
  expect(isPayAssentError(late) && late.code).toBe('wait_timeout');
  const wrong = agentPayments.waitForSettlement(id, { states: ['paid' as never] });
  await expect(wrong).rejects.toThrow('states is a list out of unknown');
  await person.payments.cancel(id);
  const ended = await agentPayments.waitForSettlement(id);
  expect(ended).toMatchObject({ status: 'cancelled', settlement: null });
});

it('the event streams carry every change of the settlement, in the order of their numbers', async () => {
  const { connection, wallet } = world;
  const [request, payment] = [await ask(), await submit()];
  const { request_id: requestId, connection_id } = request;
  const hashes = [newHash(), newHash()] as const;
  const report = (status: 'signed' | 'broadcasted', [first, second]: readonly [string?, string?] = []) =>
    Promise.all([
      wallet.paymentRequests.reportStatus(requestId, {
        status,
        connection_id,
        ...(first === undefined ? {} : { tx_hash: first }),
      }),
      wallet.agentPayments.reportStatus(payment.id, {
        status,
        ...(second === undefined ? {} : { tx_hash: second }),
      }),
    ]);
  const signal = AbortSignal.timeout(120_000);
  const requests = upToFinal(connection.paymentRequests.events({ stream: true, signal }), requestId);
  const payments = upToFinal(connection.agentPayments.events({ stream: true, signal }), payment.id);
  await report('signed');
  await report('broadcasted', hashes);
  for (const horizon of horizons) {
    horizon.has(hashes[0], request.payment);
    horizon.has(hashes[1], { to: payment.to, amount: '3' });
  }
  for (const [kind, events] of [
    ['payment_request', await requests],
    ['agent_payment', await payments],
  ] as const) {
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual([`${kind}.signed`, `${kind}.broadcasted`]);
    for (const event of events.slice(2))
      expect(event).toMatchObject({ type: `${kind}.settlement_updated`, actor: 'observer' });
    expect(events.at(-1)?.settlement_state).toBe('final');
  }
});

type StreamedEvent = PaymentRequestEvent | AgentPaymentEvent;

async function upToFinal(stream: AsyncIterable<StreamedEvent>, id: string): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for await (const event of stream) {
    if (('request_id' in event ? event.request_id : event.agent_payment_id) !== id) continue;
    events.push(event);
    if (event.settlement_state === 'final') break;
  }
  return events;
}
