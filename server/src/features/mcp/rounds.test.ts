import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { paymentStage } from '@payassent/proof/people/payments';
import { bearerHeader, type McpStage, mcpStage, purchaseArguments } from '@payassent/proof/service/mcp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const INFO = { name: 'test', version: '1' };

let stage: McpStage;
beforeAll(async () => {
  stage = await mcpStage();
});
afterAll(() => stage.service.close());

interface Round {
  result?: {
    resultType?: string;
    requestState?: string;
    inputRequests?: Record<string, { params: { mode: string; url: string } }>;
    structuredContent?: Record<string, unknown>;
  };
  error?: { code: number };
}

/** One round of `request_payment` by a client that can open pages. */
async function round(
  args: Record<string, unknown>,
  more: Record<string, unknown> = {},
  token = stage.connectionToken,
): Promise<Round> {
  const response = await stage.send('tools/call', {
    params: { name: 'request_payment', arguments: args, ...more },
    capabilities: { elicitation: { url: {} } },
    name: 'request_payment',
    token,
  });
  return (await response.json()) as Round;
}

const ACCEPTED = { inputResponses: { review: { action: 'accept' } } };

describe('a client that can open pages', () => {
  it('is handed the page on which the person decides, and afterwards the status of the payment', async () => {
    const args = purchaseArguments();
    const { result } = await round(args);
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(result?.inputRequests?.['review']?.params).toMatchObject({
      mode: 'url',
      url: expect.stringContaining(`${stage.service.url}/wallet/requests/`),
    });
    const requestState = result?.requestState;
    const after = await round(args, { ...ACCEPTED, requestState });
    expect(after.result?.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const declined = { inputResponses: { review: { action: 'decline' } }, requestState };
    expect((await round(args, declined)).result?.structuredContent).toMatchObject({
      outcome: 'waiting_for_person',
    });
  });

  it('of the older line over HTTP gets its address, whichever process serves the call', async () => {
    const client = new LegacyClient(INFO, { capabilities: { elicitation: { url: {} } } });
    const asked: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return { action: 'accept' };
    });
    const requestInit = { headers: bearerHeader(stage.connectionToken) };
    await client.connect(new LegacyTransport(new URL('/mcp', stage.service.url), { requestInit }) as never);
    onTestFinished(() => client.close());
    const call = { name: 'request_payment', arguments: purchaseArguments() };
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const { review_url } = structuredContent as { review_url: string };
    expect(asked).toMatchObject([{ mode: 'url', url: review_url }]);
    const { request_id } = structuredContent as { request_id: string };
    await stage.settle(request_id, 'rejected', { reason_code: 'no' });
    expect((await client.callTool(call)).structuredContent).toMatchObject({ outcome: 'rejected_by_person' });
    expect(asked).toHaveLength(1);
  });

  it('gets nothing for a state that was forged, changed, taken from another call or replayed by another', async () => {
    const args = purchaseArguments();
    const state = (await round(args)).result?.requestState ?? '';
    const [head = '', body = '', mac = ''] = state.split('.');
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as { p: { request_id: string } };
    payload.p.request_id = 'pr_other';
    const changed = [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), mac].join('.');
    const other = await paymentStage(stage.service);
    const attempts: Promise<Round>[] = [
      round(args, { ...ACCEPTED, requestState: 'forged' }),
      round(args, { ...ACCEPTED, requestState: changed }),
      round({ ...args, amount: '99' }, { ...ACCEPTED, requestState: state }),
      round(args, { ...ACCEPTED, requestState: state }, other.connectionToken),
    ];
    for (const { error, result } of await Promise.all(attempts)) {
      expect(error?.code).toBe(-32602);
      expect(result).toBeUndefined();
    }
    const listed = await stage.service.call('GET', '/v1/payment-requests', { bearer: other.connectionToken });
    expect(listed.body.payment_requests).toEqual([]);
  });

  it('loses nothing when the service is stopped between two rounds', async () => {
    const args = purchaseArguments();
    const { result } = await round(args);
    await stage.service.restart();
    const after = await round(args, { ...ACCEPTED, requestState: result?.requestState });
    expect(after.result?.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const again = await round(args);
    expect(again.result).toMatchObject({ resultType: 'input_required' });
    const { body } = await stage.service.call('GET', '/v1/payment-requests?limit=100', {
      bearer: stage.connectionToken,
    });
    const mine = body.payment_requests.filter(
      (request: { idempotency_key: string }) => request.idempotency_key === args['intent_id'],
    );
    expect(mine).toHaveLength(1);
  });
});
