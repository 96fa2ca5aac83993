import {
  type Autonomy,
  activePolicy,
  autonomy,
  draftPolicy,
  pay,
  policyBody,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
/** The same agent and key, connected by a customer who only allows reading. */
let reader: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
  const device = await enrolDevice(service);
  const scopes = ['payment.requests.read'] as const;
  reader = {
    ...world,
    device,
    connectionId: (await connect(service, world.agent, device, scopes)).connectionId,
  };
});
afterAll(() => service.close());

const human = () => ({ device: deviceOf(reader.device) });
const REFUSED = '403 insufficient_scope';

describe('an API key on a connection without payment.requests.create', () => {
  it('makes no payment and no policy, whatever else is wrong with the call', async () => {
    const refused = await pay(service, reader, '1');
    expect(outcome(refused)).toBe(REFUSED);
    expect(refused.body.error.details).toEqual({ required_scope: 'payment.requests.create' });
    for (const fault of [{ network: 'mainnet' }, { amount: '-1' }, { initiated_by: 'human' }])
      expect(outcome(await pay(service, reader, '1', fault))).toBe(REFUSED);
    const draft = (overrides = {}) =>
      service.call('POST', '/v1/automation-policies', {
        apiKey: reader.apiKey,
        body: policyBody(reader, overrides),
      });
    expect(outcome(await draft())).toBe(REFUSED);
    expect(outcome(await draft({ single_tx_limit: 'much' }))).toBe(REFUSED);
  });

  it("cancels nothing and evaluates nothing, but reads its agent's records", async () => {
    const { apiKey } = reader;
    const payment = (await succeed(pay(service, reader, '1', {}, human()))).body.data;
    const body = policyBody(reader);
    const policy = (await succeed(service.call('POST', '/v1/automation-policies', { ...human(), body }))).body
      .data;
    const [paid, agreed] = [`/v1/agent-payments/${payment.id}`, `/v1/automation-policies/${policy.id}`];
    expect(outcome(await service.call('POST', `${paid}/cancel`, { apiKey }))).toBe(REFUSED);
    const trial = { amount: '1', recipient_id: reader.payee.recipientId };
    expect(outcome(await service.call('POST', `${agreed}/evaluate`, { apiKey, body: trial }))).toBe(REFUSED);
    expect(outcome(await service.call('POST', `${agreed}/evaluate`, { apiKey, body: {} }))).toBe(REFUSED);
    for (const path of [paid, agreed]) expect((await service.call('GET', path, { apiKey })).status).toBe(200);
    const cancelled = await service.call('POST', `${paid}/cancel`, { bearer: reader.admin });
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled' });
  });

  it('next to a human credential hinders no one, and opens nothing for the agent', async () => {
    const beside = { ...human(), apiKey: reader.apiKey };
    expect((await pay(service, reader, '1', {}, beside)).status).toBe(201);
    expect(outcome(await pay(service, reader, '1', { initiated_by: 'agent' }, beside))).toBe(REFUSED);
  });

  it('learns nothing about records that are not its own', async () => {
    const stranger = await autonomy(service);
    const { apiKey } = reader;
    const policy = await draftPolicy(service, stranger);
    const trial = { amount: '1', recipient_id: reader.payee.recipientId };
    const calls = [
      await pay(service, stranger, '1', { recipient_id: reader.payee.recipientId }, { apiKey }),
      await service.call('POST', `/v1/automation-policies/${policy['id']}/evaluate`, { apiKey, body: trial }),
    ];
    expect(calls.map(outcome)).toEqual(['404 resource_not_found', '404 resource_not_found']);
  });
});

it('scopes of a connection are cut by what the agent is allowed at this moment', async () => {
  const own = await autonomy(service, world.merchant);
  await activePolicy(service, own);
  expect((await pay(service, own, '1')).status).toBe(201);
  const body = { allowed_scopes: ['payment.requests.read'], version: own.agent.version };
  const { session } = own.merchant;
  await succeed(service.call('PATCH', `/v1/agents/${own.agent.agentId}`, { session, body }));
  expect(outcome(await pay(service, own, '1'))).toBe(REFUSED);
});
