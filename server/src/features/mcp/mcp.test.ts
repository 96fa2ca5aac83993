import { randomUUID } from 'node:crypto';
import { TOOL_DEFINITIONS } from '@payassent/sdk/tools';
import { exchangeAssertion, usableAgent } from '@payassent/test-kit/agents';
import { type McpClient, mcpOverHttp, PROTOCOL_LINES, type ProtocolLine } from '@payassent/test-kit/mcp';
import { type PaymentStage, paymentStage } from '@payassent/test-kit/payments';
import { requireProof, signProof } from '@payassent/test-kit/proofs';
import { serviceForTest, startService, type TestService } from '@payassent/test-kit/service';
import { connect, deviceOf } from '@payassent/test-kit/wallets';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

function open(line: ProtocolLine, token = stage.connectionToken): Promise<McpClient> {
  return mcpOverHttp(service.url, line, { authorization: `Bearer ${token}` });
}

let amounts = 0;
function purchase(more: Record<string, unknown> = {}): Record<string, unknown> {
  amounts += 1;
  return {
    payee: 'Shop',
    amount: `3.${String(amounts).padStart(3, '0')}`,
    purpose: 'Tickets',
    intent_id: randomUUID(),
    ...more,
  };
}

async function report(id: string, status: string, more: Record<string, unknown> = {}) {
  const body = { status, ...more };
  const device = deviceOf(stage.device);
  const { status: http } = await service.call('POST', `/v1/payment-requests/${id}/status`, { device, body });
  expect(http).toBe(200);
}

describe.each(PROTOCOL_LINES)('the official client of %s', (line) => {
  it('lists the seven tools in their order, with schemas and hints', async () => {
    const { tools } = await (await open(line)).listTools();
    expect(tools).toEqual(TOOL_DEFINITIONS);
  });

  it('calls every tool, from the payee to the payment', async () => {
    const client = await open(line);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const answer = await client.callTool({ name, arguments: args });
      expect(answer.content).toMatchObject([{ type: 'text', text: expect.stringContaining(';') }]);
      return answer.structuredContent;
    };
    expect(await call('connection_status')).toMatchObject({
      connection: { connection_id: stage.connectionId },
    });
    expect(await call('list_payees')).toMatchObject({ payees: [{ name: 'Shop' }] });
    const asked = await call('request_payment', purchase());
    const { request_id, review_url } = asked;
    expect(asked).toMatchObject({ outcome: 'waiting_for_person' });
    expect(review_url).toBe(`${service.url}/wallet/requests/${request_id}?connection=${stage.connectionId}`);
    const decided = call('wait_for_decision', { request_id, seconds: 50 });
    await report(request_id, 'signed');
    expect(await decided).toMatchObject({ outcome: 'approved_not_yet_paid' });
    await report(request_id, 'broadcasted', { tx_hash: randomUUID() });
    await report(request_id, 'confirmed');
    expect(await call('get_payment', { request_id })).toMatchObject({ outcome: 'paid' });
    expect(await call('list_payments', { status: 'confirmed' })).toMatchObject({
      payments: expect.arrayContaining([expect.objectContaining({ request_id, outcome: 'paid' })]),
    });
    const other = await call('request_payment', purchase());
    expect(await call('withdraw_payment', { request_id: other.request_id })).toMatchObject({
      outcome: 'withdrawn',
    });
  });

  it('is refused as the API refuses: by code, with what to do', async () => {
    const client = await open(line);
    const answer = await client.callTool({ name: 'get_payment', arguments: { request_id: 'pr_none' } });
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'resource_not_found' } },
    });
    await expect(client.callTool({ name: 'approve_payment', arguments: {} })).rejects.toThrow('no tool');
  });

  it('has the scopes of its connection and no others', async () => {
    const agent = await usableAgent(service, stage.merchant);
    const { connectionToken } = await connect(service, agent, stage.device, ['payment.requests.read']);
    const client = await open(line, connectionToken);
    const refused = await client.callTool({ name: 'request_payment', arguments: purchase() });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'insufficient_scope' } },
    });
    const listed = await client.callTool({ name: 'list_payments', arguments: {} });
    expect(listed.structuredContent).toMatchObject({ payments: [] });
  });
});

/** A message as any program could send it. */
function post(message: Record<string, unknown>, headers: Record<string, string>): Promise<Response> {
  return fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

const bearer = (token = stage.connectionToken) => ({ authorization: `Bearer ${token}` });
const LIST = { method: 'tools/list', params: {} };

describe('the door', () => {
  it('opens to a connection token and to nothing else', async () => {
    const refusal = async (headers: Record<string, string>) => {
      const response = await post(LIST, headers);
      const { error } = (await response.json()) as { error?: { code?: string } };
      return `${response.status} ${error?.code ?? 'ok'}`;
    };
    expect(await refusal({})).toBe('401 unauthenticated');
    expect(await refusal(bearer(`${stage.connectionToken.slice(0, -1)}x`))).toBe('401 unauthenticated');
    expect(await refusal(bearer(await exchangeAssertion(service, stage.agent)))).toBe('401 unauthenticated');
    expect(await refusal({ ...bearer(), origin: 'https://evil.example' })).toBe('403 csrf_invalid');
    expect(await refusal(bearer())).toBe('200 ok');
    const gone = await paymentStage(service);
    await service.call('DELETE', '/v1/connections/current', { bearer: gone.connectionToken });
    expect(await refusal(bearer(gone.connectionToken))).toBe('401 token_revoked');
    expect((await fetch(`${service.url}/mcp`, { headers: bearer() })).status).toBe(405);
  });

  it('counts each tool against the limits of the API', async () => {
    const limited = await serviceForTest({ env: { SVC_RATE_LIMITS: 'create=1/h' } });
    const own = await paymentStage(limited);
    const client = await mcpOverHttp(limited.url, '2026-07-28', bearer(own.connectionToken));
    const first = await client.callTool({ name: 'request_payment', arguments: purchase() });
    expect(first.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const second = await client.callTool({ name: 'request_payment', arguments: purchase() });
    expect(second).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'rate_limited', retry_after_seconds: expect.any(Number) } },
    });
  });

  it('asks for a proof where the agent requires one, once for the call and all that it makes', async () => {
    const own = await paymentStage(service);
    await requireProof(service, own.merchant.session, own.agent.agentId);
    const token = own.connectionToken;
    const call = (headers: Record<string, string>, args = purchase()) =>
      post({ method: 'tools/call', params: { name: 'request_payment', arguments: args } }, headers);
    const codeOf = async (response: Response) =>
      ((await response.json()) as { error: { code: string } }).error.code;
    const unproved = await call(bearer(token));
    expect([unproved.status, await codeOf(unproved)]).toEqual([401, 'proof_required']);
    const elsewhere = signProof(service, own.agent, { method: 'POST', path: '/v1/payment-requests', token });
    expect(await codeOf(await call({ ...bearer(token), ...elsewhere }))).toBe('proof_invalid');
    const proof = signProof(service, own.agent, { method: 'POST', path: '/mcp', token });
    const proved = (await (await call({ ...bearer(token), ...proof })).json()) as {
      result: { structuredContent: Record<string, unknown> };
    };
    expect(proved.result.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    expect(await codeOf(await call({ ...bearer(token), ...proof }))).toBe('proof_invalid');
  });

  it('derives the key of its rounds once, however many calls come', async () => {
    const own = await serviceForTest();
    const { connectionToken } = await paymentStage(own);
    const mac = vi.spyOn(own.context.keys, 'mac');
    const client = await mcpOverHttp(own.url, '2026-07-28', bearer(connectionToken));
    for (let call = 0; call < 3; call += 1)
      await client.callTool({ name: 'connection_status', arguments: {} });
    expect(mac.mock.calls.filter(([purpose]) => purpose === 'mcp-round')).toHaveLength(1);
  });

  it('answers no subscription and leaves no stream open', async () => {
    const meta = modernMeta({});
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const response = await post(
      { method: 'subscriptions/listen', params },
      modernHeaders('subscriptions/listen'),
    );
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
  });
});

function modernMeta(capabilities: Record<string, unknown>): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

function modernHeaders(method: string, name?: string, token?: string): Record<string, string> {
  return {
    ...bearer(token),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}

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
  token?: string,
): Promise<Round> {
  const params = {
    name: 'request_payment',
    arguments: args,
    _meta: modernMeta({ elicitation: { url: {} } }),
    ...more,
  };
  const headers = modernHeaders('tools/call', 'request_payment', token);
  return (await (await post({ method: 'tools/call', params }, headers)).json()) as Round;
}

const ACCEPTED = { inputResponses: { review: { action: 'accept' } } };

describe('a client that can open pages', () => {
  it('is handed the page on which the person decides, and afterwards where the payment stands', async () => {
    const args = purchase();
    const { result } = await round(args);
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(result?.inputRequests?.['review']?.params).toMatchObject({
      mode: 'url',
      url: expect.stringContaining(`${service.url}/wallet/requests/`),
    });
    const requestState = result?.requestState;
    const after = await round(args, { ...ACCEPTED, requestState });
    expect(after.result?.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const declined = { inputResponses: { review: { action: 'decline' } }, requestState };
    expect((await round(args, declined)).result?.structuredContent).toMatchObject({
      outcome: 'waiting_for_person',
    });
  });

  it('gets nothing for a state that was forged, changed, taken from another call or replayed by another', async () => {
    const args = purchase();
    const state = (await round(args)).result?.requestState ?? '';
    const [head = '', body = '', mac = ''] = state.split('.');
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as { p: { request_id: string } };
    payload.p.request_id = 'pr_other';
    const changed = [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), mac].join('.');
    const other = await paymentStage(service);
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
    const listed = await service.call('GET', '/v1/payment-requests', { bearer: other.connectionToken });
    expect(listed.body.payment_requests).toEqual([]);
  });

  it('loses nothing when the service is stopped between two rounds', async () => {
    const args = purchase();
    const { result } = await round(args);
    await service.restart();
    const after = await round(args, { ...ACCEPTED, requestState: result?.requestState });
    expect(after.result?.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const again = await round(args);
    expect(again.result).toMatchObject({ resultType: 'input_required' });
    const { body } = await service.call('GET', '/v1/payment-requests?limit=100', {
      bearer: stage.connectionToken,
    });
    const mine = body.payment_requests.filter(
      (request: { idempotency_key: string }) => request.idempotency_key === args['intent_id'],
    );
    expect(mine).toHaveLength(1);
  });
});

describe('a client that can show cards', () => {
  it('is told of one that only shows', async () => {
    const capabilities = {
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    };
    const ask = async (method: string, params: Record<string, unknown>, name?: string) => {
      const message = { method, params: { ...params, _meta: modernMeta(capabilities) } };
      return (await (await post(message, modernHeaders(method, name))).json()) as {
        result: Record<string, unknown>;
      };
    };
    const { tools } = (await ask('tools/list', {})).result as { tools: { name: string; _meta?: unknown }[] };
    const uri = 'ui://payassent/payment';
    expect(tools.find(({ name }) => name === 'get_payment')?._meta).toEqual({ ui: { resourceUri: uri } });
    expect(tools.find(({ name }) => name === 'list_payees')?._meta).toBeUndefined();
    expect((await ask('resources/list', {})).result).toMatchObject({ resources: [{ uri }] });
    const { contents } = (await ask('resources/read', { uri }, uri)).result as {
      contents: { text: string }[];
    };
    expect(contents[0]?.text).not.toMatch(/<(button|a|form|input)\b|fetch\(|https?:/);
  });
});

describe('a client that follows tasks', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  interface Answer {
    result?: Record<string, unknown> & { taskId: string; result?: Record<string, unknown> };
    error?: { code: number; message: string };
  }
  const send = async (
    method: string,
    params: Record<string, unknown>,
    { name, token, capabilities = TASKS }: { name: string; token?: string; capabilities?: object },
  ): Promise<Answer> => {
    const message = {
      method,
      params: { ...params, _meta: modernMeta(capabilities as Record<string, unknown>) },
    };
    return (await (await post(message, modernHeaders(method, name, token))).json()) as Answer;
  };
  const wait = (request_id: string, capabilities: object = TASKS) =>
    send(
      'tools/call',
      { name: 'wait_for_decision', arguments: { request_id, seconds: 1 } },
      { name: 'wait_for_decision', capabilities },
    );
  const about = (
    taskId: string,
    method = 'tasks/get',
    more: { token?: string; capabilities?: object } = {},
  ) => send(method, { taskId }, { name: taskId, ...more });
  const ask = async (): Promise<string> => {
    const client = await open('2026-07-28');
    return (await client.callTool({ name: 'request_payment', arguments: purchase() })).structuredContent
      .request_id;
  };

  it('gets a handle at once instead of a wait, and the result when the person has decided, after a restart too', async () => {
    const id = await ask();
    const { result } = await wait(id);
    // A client that declares tasks and does not follow them has a whole result all the same.
    const structuredContent = { request_id: id, outcome: 'waiting_for_person' };
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, structuredContent });
    const { taskId } = result ?? { taskId: '' };
    expect((await about(taskId)).result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    await service.restart();
    await report(id, 'signed');
    const done = (await about(taskId)).result;
    expect(done).toMatchObject({ resultType: 'complete', taskId, status: 'completed' });
    expect(done?.result).toMatchObject({ structuredContent: { outcome: 'approved_not_yet_paid' } });
    expect((await wait(id)).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { outcome: 'approved_not_yet_paid' },
    });
  });

  it('cannot end a request by ending its task: the person still decides', async () => {
    const id = await ask();
    const taskId = (await wait(id)).result?.taskId ?? '';
    for (const method of ['tasks/cancel', 'tasks/update'])
      expect((await about(taskId, method)).result).toMatchObject({ resultType: 'complete' });
    expect((await about(taskId)).result).toMatchObject({ status: 'working' });
    await report(id, 'rejected');
    expect((await about(taskId)).result?.result).toMatchObject({
      structuredContent: { outcome: 'rejected_by_person' },
    });
  });

  it('gets nothing for a handle of another connection, which is refused as one that there is not', async () => {
    const taskId = (await wait(await ask())).result?.taskId ?? '';
    const { connectionToken: token } = await paymentStage(service);
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const foreign = await about(taskId, method, { token });
      expect(foreign.error?.code).toBe(-32602);
      for (const absent of ['decision.cHJfbm9uZQ', 'nothing', 'decision.', 'decision.%'])
        expect((await about(absent, method, { token })).error).toEqual(foreign.error);
    }
  });

  it('has to declare tasks in each message; one that does not has the plain tool', async () => {
    const id = await ask();
    const taskId = (await wait(id)).result?.taskId ?? '';
    expect((await wait(id, {})).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { outcome: 'waiting_for_person' },
    });
    expect((await about(taskId, 'tasks/get', { capabilities: {} })).error?.code).toBe(-32021);
  });
});
