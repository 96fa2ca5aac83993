import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestAgent, usableAgent } from '../../../test/harness/agents.ts';
import { type TestMerchant, verifiedMerchant } from '../../../test/harness/merchants.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';
import { agentToken, connect, deviceOf, enrolDevice } from '../../../test/harness/wallets.ts';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  agent = await usableAgent(service, merchant);
});
afterAll(() => service.close());

describe('Connect', () => {
  it('leads from a Connect Key to a connection', async () => {
    const device = await enrolDevice(service);
    const made = await connect(service, agent, device);
    const list = await service.call('GET', '/v1/connections', { device: deviceOf(device) });
    expect(list.body.connections).toHaveLength(1);
    expect(list.body.connections[0].connection_id).toBe(made.connectionId);
    const token = await agentToken(service, agent);
    const collected = await service.call('POST', `/v1/connections/${made.connectionId}/collect-token`, {
      bearer: token,
    });
    expect(collected.body.connection_token).toBe(made.connectionToken);
  });
});
