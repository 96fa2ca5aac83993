import { type Autonomy, autonomy, pay, report } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, readRequest } from '@payassent/proof/people/payments';
import { broadcasted, newHash, passSecond, startHorizons } from '@payassent/proof/people/settlements';
import { activeEndpoint, answering, eventsAt, until, verified } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../config/index.ts';
import { createContext, prepareDatabase } from '../../context.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { settlementJob } from './job.ts';
import { createObserver } from './observer-job.ts';

let service: TestService;
let world: Autonomy;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
beforeAll(async () => {
  const started = await startHorizons(2);
  ({ horizons, close } = started);
  service = await startService(started.options);
  world = await autonomy(service);
});
afterAll(async () => {
  await service.close();
  await close();
});

async function broadcastPayment(at: TestService, by: Autonomy, txHash = newHash()) {
  const human = { initiated_by: 'human' };
  const payment = (await succeed(pay(at, by, '1.5', human, { bearer: by.admin }))).body.data;
  await succeed(report(at, by, payment.id, 'signed'));
  await succeed(report(at, by, payment.id, 'broadcasted', { tx_hash: txHash }));
  return { payment, txHash };
}

it('an agent payment carries its settlement, and each change is one event in its own sequence and by webhook', async () => {
  const receiver = await startHttpReceiver();
  receiver.script(answering());
  const { secret } = await activeEndpoint(service, world.merchant, receiver, {
    event_types: ['agent_payment.settlement_updated'],
  });
  const { payment, txHash } = await broadcastPayment(service, world);
  const read = async () =>
    (
      await succeed(
        service.call('GET', `/v1/agent-payments/${payment.id}`, { bearer: world.connectionToken }),
      )
    ).body.data;
  const become = (state: string) =>
    until(async () => {
      passSecond(service);
      const now = await read();
      return now.settlement?.state === state && now;
    }, 90_000);
  expect(payment.settlement).toBeNull();
  await become('unseen');
  // Of two configured sources both must agree.
  horizons[0]?.has(txHash, { to: payment.to, amount: '1.5' });
  await become('seen');
  horizons[1]?.has(txHash, { to: payment.to, amount: '1.5' });
  const final = await become('final');
  expect(final).toMatchObject({ status: 'broadcasted', state_version: 3 });
  expect(final.settlement).toMatchObject({ sources: { asked: 2, agreed: 2 }, differences: [] });

  const page = { bearer: world.connectionToken, query: { limit: 500 } };
  const { events } = (await succeed(service.call('GET', '/v1/agent-payments/events', page))).body.data;
  expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  const about = {
    status: 'broadcasted',
    previous_status: 'broadcasted',
    state_version: 3,
    actor: 'observer',
  };
  for (const [index, state] of ['unseen', 'seen', 'final'].entries())
    expect(events[2 + index]).toMatchObject({
      ...about,
      type: 'agent_payment.settlement_updated',
      settlement_state: state,
      tx_hash: txHash,
    });
  const messages = await until(() => {
    const found = eventsAt(receiver).map((message) => verified(message, secret));
    return found.length === 3 && found;
  });
  expect(messages.map(({ id, data }) => [id, data.agent_payment.settlement.state])).toEqual(
    events.slice(2).map((event: Record<string, unknown>) => [event['event_id'], event['settlement_state']]),
  );
  await receiver.close();
});

it('a network that is observed for the first time takes up the payments of the last seven days, and no older ones', async () => {
  const plain = await startService();
  try {
    const stage: PaymentStage = await paymentStage(plain);
    const by = await autonomy(plain);
    const old = await broadcasted(plain, stage);
    const { request, txHash } = await broadcasted(plain, stage);
    const paid = await broadcastPayment(plain, by);
    await plain.db`
      update payment_requests set updated_at = ${addMs(plain.clock.now(), -8 * DAY_MS)}
      where request_id = ${old.request.request_id}`;
    expect(await plain.db`select from observations`).toHaveLength(0);
    for (const horizon of horizons) {
      horizon.has(txHash, request.payment);
      horizon.has(paid.txHash, { to: paid.payment.to, amount: '1.5' });
    }
    const urls = horizons.map(({ receiver }) => receiver.url).join('|');
    const config = parseConfig({ ...plain.env, SVC_OBSERVE: `stellar_testnet=${urls}` });
    const context = await createContext(config, plain.database.target);
    await prepareDatabase(context);
    const job = settlementJob(createObserver(context));
    const states = async () =>
      (
        await plain.db<{ record_id: string; status: string }[]>`select record_id, status from settlements`
      ).map(({ record_id, status }) => [record_id, status]);
    await until(async () => {
      await job.run(context);
      return (await states()).length === 2;
    }, 60_000);
    expect(new Map((await states()) as [string, string][])).toEqual(
      new Map([
        [request.request_id, 'final'],
        [paid.payment.id, 'final'],
      ]),
    );
    const { payment_request } = (await succeed(readRequest(plain, stage, request.request_id))).body;
    expect(payment_request.settlement.state).toBe('final');
    context.stop();
    await job.run(context);
    await context.close();
  } finally {
    await plain.close();
  }
});
