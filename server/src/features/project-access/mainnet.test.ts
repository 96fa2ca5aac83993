import { usableAgent } from '@payassent/proof/people/agents';
import {
  type Autonomy,
  activePolicy,
  autonomy,
  createKey,
  draftPolicy,
  pay,
  paymentBody,
  policyBody,
} from '@payassent/proof/people/autonomy';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { createPayee } from '@payassent/proof/people/payees';
import { connect, deviceOf } from '@payassent/proof/people/wallets';
import type { Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { MAINNET_WORDS, NETWORKS } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseNamedMainnet } from './mainnet.ts';

const REFUSED = '409 phase_0_mainnet_disabled';
const MAINNETS = NETWORKS.filter((network) => network !== 'stellar_testnet');
const NAMES = [...MAINNETS, ...MAINNET_WORDS, 'MainNet', 'LIVENET', 'Production', 'stellar_mainnet'];

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

describe('naming a mainnet', () => {
  it('is found wherever a network or environment is named, and nowhere else', () => {
    const named = [
      { network: 'stellar_public' },
      { Network: ' Ethereum_Mainnet ' },
      { environment: 'PRODUCTION' },
      { metadata: { deploy: { env: 'livenet' } } },
      { allowlist: [{ network: 'base_mainnet' }] },
      { network: ['stellar_testnet', 'mainnet'] },
      { network: { name: 'mainnet' } },
      { network: 'stellar_mainnet' },
      { network: 'Mainnet-Beta' },
      { chain: 'solana:livenet' },
      { rail: 'ethereum_eth' },
      { chain_id: 8453 },
      { chainId: '1' },
    ];
    for (const body of named) expect(() => refuseNamedMainnet(body)).toThrow(/mainnet/);
    const harmless = [
      { network: 'stellar_testnet', environment: 'test' },
      { asset: 'mainnet', note: 'production', metadata: { title: 'mainnet' } },
      { rail: 'stellar_xlm', chain_id: 2 ** 40 },
      { network: 'nowhere' },
      { environment: 'pre-production' },
      { network: null, environment: 7 },
    ];
    for (const body of harmless) expect(() => refuseNamedMainnet(body)).not.toThrow();
  });

  it('there are thirty of them', () => {
    expect(MAINNETS).toHaveLength(30);
  });

  it.each(NAMES)('%s: 409 with valid and with broken bodies, 401 without a credential', async (network) => {
    const { apiKey } = world;
    const bodies: [path: string, body: Record<string, unknown>][] = [
      ['/v1/agent-payments', { ...paymentBody(world, '1'), network }],
      ['/v1/agent-payments', { network, amount: -1, nonsense: true }],
      ['/v1/automation-policies', { ...policyBody(world), network }],
      ['/v1/automation-policies', { network, allowlist: 'x' }],
    ];
    for (const [path, body] of bodies) {
      expect(outcome(await service.call('POST', path, { apiKey, body }))).toBe(REFUSED);
      expect(outcome(await service.call('POST', path, { body }))).toBe('401 unauthenticated');
    }
  });

  it('is refused on every call and for every caller', async () => {
    const policy = await draftPolicy(service, world);
    const { id } = (
      await succeed(pay(service, world, '1', { initiated_by: 'human' }, { bearer: world.admin }))
    ).body.data;
    const device = deviceOf(world.device);
    const key: Sent = { apiKey: world.apiKey };
    const admin: Sent = { bearer: world.admin };
    const operator: Sent = { session: world.merchant.session };
    const wallet: Sent = { device };
    const calls: [method: string, path: string, callers: Sent[]][] = [
      ['POST', '/v1/agent-payments', [key, admin, operator, wallet]],
      ['GET', '/v1/agent-payments', [key, admin, operator, wallet]],
      ['GET', `/v1/agent-payments/${id}`, [key, admin, operator, wallet]],
      ['POST', `/v1/agent-payments/${id}/cancel`, [key, admin, operator]],
      ['POST', `/v1/agent-payments/${id}/status`, [wallet]],
      ['POST', '/v1/automation-policies', [key, admin, operator, wallet]],
      ['GET', '/v1/automation-policies', [key, admin, operator, wallet]],
      ['GET', `/v1/automation-policies/${policy.id}`, [key, admin, operator, wallet]],
      ['PATCH', `/v1/automation-policies/${policy.id}`, [admin, operator, wallet]],
      ['POST', `/v1/automation-policies/${policy.id}/opt-in`, [wallet]],
      ['POST', `/v1/automation-policies/${policy.id}/pause`, [admin, operator, wallet]],
      ['POST', `/v1/automation-policies/${policy.id}/resume`, [wallet]],
      ['POST', `/v1/automation-policies/${policy.id}/evaluate`, [key]],
      ['DELETE', `/v1/automation-policies/${policy.id}`, [admin, operator, wallet]],
      ['GET', '/v1/agent-payments/absent', [key]],
    ];
    for (const [method, path, callers] of calls) {
      for (const caller of callers) {
        const byQuery = await service.call(method, path, { ...caller, query: { network: 'base_mainnet' } });
        expect([method, path, outcome(byQuery)]).toEqual([method, path, REFUSED]);
        if (method === 'GET') continue;
        const byBody = await service.call(method, path, { ...caller, body: { environment: 'Production' } });
        expect([method, path, outcome(byBody)]).toEqual([method, path, REFUSED]);
      }
    }
    expect((await service.call('GET', `/v1/agent-payments/${id}`, key)).body.data.status).toBe(
      'intent_created',
    );
  });
});

describe('implying a mainnet', () => {
  it('by a Recipient that lives on one, whatever the body contains and no matter who calls', async () => {
    const created = await createPayee(service, world.merchant, {
      network: 'ethereum_mainnet',
      asset: 'ETH',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
    });
    const recipient_id = created.body.recipient.recipient_id;
    const policy = await draftPolicy(service, world);
    const device = deviceOf(world.device);
    expect(outcome(await pay(service, world, '1', { recipient_id }))).toBe(REFUSED);
    expect(outcome(await pay(service, world, 'nonsense', { recipient_id }))).toBe(REFUSED);
    expect(outcome(await pay(service, world, '1', { recipient_id }, { device }))).toBe(REFUSED);
    const evaluated = await service.call('POST', `/v1/automation-policies/${policy.id}/evaluate`, {
      apiKey: world.apiKey,
      body: { amount: '1', recipient_id },
    });
    expect(outcome(evaluated)).toBe(REFUSED);
    const changed = await service.call('PATCH', `/v1/automation-policies/${policy.id}`, {
      device,
      body: { version: 1, allowlist: [{ recipient_id }] },
    });
    expect(outcome(changed)).toBe(REFUSED);
    const drafted = await service.call('POST', '/v1/automation-policies', {
      bearer: world.admin,
      body: policyBody(world, { allowlist: [{ address: 'x' }, { recipient_id }] }),
    });
    expect(drafted.body.error.details).toEqual({ field: 'allowlist[1].recipient_id' });
  });

  it('by an agent whose environment is a mainnet word: no key for it, and no payment on its connection', async () => {
    const { session } = world.merchant;
    const agent = await usableAgent(service, world.merchant, { environment: 'Production' });
    const body = { name: 'Key', agent_id: agent.agentId };
    const refused = await service.call('POST', '/v1/api-keys', { session, body });
    expect(outcome(refused)).toBe(REFUSED);
    expect(refused.body.ok).toBe(false);
    const { connectionId } = await connect(service, agent, world.device);
    const device = deviceOf(world.device);
    const onIt = { ...world, connectionId };
    expect(outcome(await pay(service, onIt, '1', { initiated_by: 'human' }, { device }))).toBe(REFUSED);
    const staging = await usableAgent(service, world.merchant, { environment: 'staging' });
    expect((await createKey(service, session, staging.agentId)).apiKey).toMatch(/^svc_key_test_/);
  });

  it("a stranger's Recipient reveals nothing", async () => {
    const stranger = await autonomy(service);
    const created = await createPayee(service, stranger.merchant, {
      network: 'ethereum_mainnet',
      asset: 'ETH',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
    });
    await activePolicy(service, world);
    const overrides = { recipient_id: created.body.recipient.recipient_id };
    expect(outcome(await pay(service, world, '1', overrides))).toBe('404 resource_not_found');
  });
});
