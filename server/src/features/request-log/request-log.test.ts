import { randomBytes } from 'node:crypto';
import { exchangeAssertion } from '@payassent/proof/people/agents';
import { autonomy } from '@payassent/proof/people/autonomy';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import type { Body } from '@payassent/proof/service/client';
import { mcpOverHttp } from '@payassent/proof/service/mcp';
import { startService, type TestService } from '@payassent/proof/service/service';
import { newId } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';
import { FIXED_CAPS } from '../../limits.ts';
import { requestLogFeature } from './index.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const list = (of: Pick<PaymentStage, 'merchant'>, query: Record<string, string> = {}) =>
  service.call('GET', '/v1/request-log', { session: of.merchant.session, query });
const callsOf = async (of: Pick<PaymentStage, 'merchant'>, query = {}): Promise<Body[]> =>
  (await list(of, query)).body.calls;

const countOf = async (merchantId: string) =>
  (
    await service.db<
      { n: number }[]
    >`select count(*)::int as n from agent_calls where merchant_id = ${merchantId}`
  )[0]?.n ?? 0;

describe('the request log', () => {
  it('has what an agent called, how it ended and under which request id, the last call first', async () => {
    const own = await paymentStage(service);
    const created = await pendingRequest(service, own);
    const refused = await postRequest(service, own, { payment: { amount: '-1' } });
    const absent = await readRequest(service, own, 'pr_01ARYZ6S410000000000000000');
    expect([refused.status, absent.status]).toEqual([400, 404]);
    const calls = await callsOf(own, { limit: '3' });
    expect(calls).toEqual([
      {
        called_at: expect.any(String),
        agent_id: own.agent.agentId,
        operation: 'getPaymentRequest',
        status: 404,
        error_code: 'resource_not_found',
        request_id: absent.headers.get('x-request-id'),
        latency_ms: expect.any(Number),
      },
      expect.objectContaining({
        operation: 'createPaymentRequest',
        status: 400,
        error_code: 'validation_failed',
        request_id: refused.headers.get('x-request-id'),
      }),
      expect.objectContaining({ operation: 'createPaymentRequest', status: 201, error_code: null }),
    ]);
    expect(created.status).toBe('pending');
  });

  it('is read by its merchant and by the agent itself, and by no one else', async () => {
    const own = await paymentStage(service);
    const other = await paymentStage(service, { merchant: own.merchant });
    await readRequest(service, own, 'pr_01ARYZ6S410000000000000000');
    await readRequest(service, other, 'pr_01ARYZ6S410000000000000000');
    const bearer = await exchangeAssertion(service, own.agent);
    const seenByAgent: Body[] = (await service.call('GET', '/v1/request-log', { bearer })).body.calls;
    expect(new Set(seenByAgent.map(({ agent_id }) => agent_id))).toEqual(new Set([own.agent.agentId]));
    const ofOther = { agent_id: other.agent.agentId };
    expect((await service.call('GET', '/v1/request-log', { bearer, query: ofOther })).body.calls).toEqual([]);
    expect(new Set((await callsOf(own)).map(({ agent_id }) => agent_id))).toEqual(
      new Set([own.agent.agentId, other.agent.agentId]),
    );
    expect(await callsOf(stage, { agent_id: own.agent.agentId })).toEqual([]);
    const connection = await service.call('GET', '/v1/request-log', { bearer: own.connectionToken });
    expect([connection.status, connection.body.error.code]).toEqual([401, 'unauthenticated']);
  });

  it('has calls by API key and what tools for models call', async () => {
    const world = await autonomy(service);
    await service.call('GET', '/v1/agent-payments', { apiKey: world.apiKey });
    const client = await mcpOverHttp(service.url, '2025-11-25', {
      authorization: `Bearer ${world.connectionToken}`,
    });
    await client.callTool({
      name: 'get_payment',
      arguments: { request_id: 'pr_01ARYZ6S410000000000000000' },
    });
    const operations = (await callsOf(world)).map(({ operation }) => operation);
    expect(operations).toContain('listAgentPayments');
    expect(operations).toContain('callTools');
    expect(operations).toContain('getPaymentRequest');
  });

  it('is filtered by operation, error and request id, and walked page by page without a gap', async () => {
    const own = await paymentStage(service);
    for (let turn = 0; turn < 5; turn += 1)
      await postRequest(service, own, { payment: { amount: `-${turn}` } });
    const query = { error_code: 'validation_failed', operation: 'createPaymentRequest', limit: '2' };
    const walked: Body[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Body = (await list(own, cursor === '' ? query : { ...query, cursor })).body;
      walked.push(...page['calls']);
      cursor = page['next_cursor'];
    }
    expect(new Set(walked.map(({ request_id }) => request_id)).size).toBe(5);
    expect(await callsOf(own, { request_id: walked[0]?.['request_id'] })).toEqual([walked[0]]);
    const wrong = await list(own, { cursor: 'nonsense' });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_cursor']);
  });

  it('keeps no token and nothing of a body', async () => {
    const own = await paymentStage(service);
    await pendingRequest(service, own, { payment: { amount: '77.7301' } });
    await callsOf(own);
    const rows = JSON.stringify(await service.db`select * from agent_calls`);
    expect(rows).not.toContain(own.connectionToken);
    expect(rows).not.toContain('77.7301');
  });
});

describe('the rows of the request log are bounded', () => {
  it('in a moment: the last twenty of an agent, and two hundred of its merchant', async () => {
    const own = await paymentStage(service);
    const { agentId } = own.agent;
    const { requestLog } = service.app.parts;
    await requestLog.stored();
    const { merchantId } = own.merchant;
    const before = await countOf(merchantId);
    const note = (of: string, requestId: string) =>
      requestLog.note({
        agent: { merchantId, agentId: of },
        operation: 'getPaymentRequest',
        requestId,
        status: 200,
        errorCode: undefined,
        durationMs: 1,
      });
    for (let n = 0; n < 60; n += 1) note(agentId, `many ${n}`);
    for (let n = 0; n < 300; n += 1) note(newId('agt', n, randomBytes), 'of many agents');
    const ids = (await callsOf(own, { agent_id: agentId, limit: '100' })).map(({ request_id }) => request_id);
    const many = ids.filter((id) => id.startsWith('many '));
    expect(many).toHaveLength(20);
    expect(many).toContain('many 59');
    expect(many).not.toContain('many 39');
    expect(await countOf(merchantId)).toBe(before + 200);
  });

  it('for each merchant: the newest ten thousand, and nothing of another merchant goes for them', async () => {
    const own = await paymentStage(service);
    const { merchantId } = own.merchant;
    const { count } = FIXED_CAPS.loggedCalls;
    await callsOf(stage);
    const before = await countOf(stage.merchant.merchantId);
    await service.db`
      insert into agent_calls
      select 'cal_' || n, ${merchantId}, ${own.agent.agentId}, now() - n * interval '1 second', 'old', 200, null, '', 1
      from generate_series(1, ${count}) n`;
    for (let n = 0; n < 500; n += 1) {
      await readRequest(service, own, 'pr_01ARYZ6S410000000000000000');
      if (n % 20 === 19) await service.app.parts.requestLog.stored();
    }
    expect(await countOf(merchantId)).toBeLessThanOrEqual(count);
    expect(await countOf(merchantId)).toBeGreaterThan(count - 100);
    expect(await countOf(stage.merchant.merchantId)).toBe(before);
  });

  it('in time: seven days', async () => {
    const own = await paymentStage(service);
    await callsOf(own);
    const now = service.clock.now().getTime();
    const [rule] = requestLogFeature(service.app.parts).retention ?? [];
    await rule?.purge(service.db, new Date(now + 6.9 * DAY_MS), 100_000);
    expect(await countOf(own.merchant.merchantId)).toBeGreaterThan(0);
    await rule?.purge(service.db, new Date(now + 7.1 * DAY_MS), 100_000);
    expect(await countOf(own.merchant.merchantId)).toBe(0);
  });
});
