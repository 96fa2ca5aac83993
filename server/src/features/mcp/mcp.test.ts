import { randomUUID } from 'node:crypto';
import { exchangeAssertion, requireProof, signProof, usableAgent } from '@payassent/proof/people/agents';
import { paymentStage } from '@payassent/proof/people/payments';
import { connect } from '@payassent/proof/people/wallets';
import {
  bearerHeader,
  type McpStage,
  mcpOverHttp,
  mcpStage,
  PROTOCOL_LINES,
  postMcp,
  purchaseArguments,
} from '@payassent/proof/service/mcp';
import { serviceForTest } from '@payassent/proof/service/service';
import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import { TOOL_DEFINITIONS } from '@payassent/sdk/tools';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let stage: McpStage;
beforeAll(async () => {
  stage = await mcpStage();
});
afterAll(() => stage.service.close());

const LIST = { method: 'tools/list', params: {} };

describe.each(PROTOCOL_LINES)('the official client of %s', (line) => {
  it('lists the seven tools in their order, with schemas and hints', async () => {
    const { tools } = await (await stage.open(line)).listTools();
    expect(tools).toEqual(TOOL_DEFINITIONS);
  });

  it('calls every tool, from the payee to the payment', async () => {
    const client = await stage.open(line);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const answer = await client.callTool({ name, arguments: args });
      expect(answer.content).toMatchObject([{ type: 'text', text: expect.stringContaining(';') }]);
      return answer.structuredContent;
    };
    expect(await call('connection_status')).toMatchObject({
      connection: { connection_id: stage.connectionId },
    });
    expect(await call('list_payees')).toMatchObject({ payees: [{ name: 'Shop' }] });
    const asked = await call('request_payment', purchaseArguments());
    const { request_id, review_url } = asked;
    expect(asked).toMatchObject({ outcome: 'waiting_for_person' });
    expect(review_url).toBe(
      `${stage.service.url}/wallet/requests/${request_id}?connection=${stage.connectionId}`,
    );
    const decided = call('wait_for_decision', { request_id, seconds: 50 });
    await stage.settle(request_id, 'signed');
    expect(await decided).toMatchObject({ outcome: 'approved_not_yet_paid' });
    await stage.settle(request_id, 'broadcasted', { tx_hash: randomUUID() });
    await stage.settle(request_id, 'confirmed');
    expect(await call('get_payment', { request_id })).toMatchObject({ outcome: 'paid' });
    expect(await call('list_payments', { status: 'confirmed' })).toMatchObject({
      payments: expect.arrayContaining([expect.objectContaining({ request_id, outcome: 'paid' })]),
    });
    const other = await call('request_payment', purchaseArguments());
    expect(await call('withdraw_payment', { request_id: other.request_id })).toMatchObject({
      outcome: 'withdrawn',
    });
  });

  it('gets the progress of a wait that it requested, and then the result', async () => {
    const client = await stage.open(line);
    const asked = await client.callTool({ name: 'request_payment', arguments: purchaseArguments() });
    const id = asked.structuredContent['request_id'] as string;
    const wait = { name: 'wait_for_decision', arguments: { request_id: id, seconds: 30 } };
    const heard: { progress: number; total?: number; message?: string }[] = [];
    const onprogress = async (progress: (typeof heard)[number]) => {
      heard.push(progress);
      if (heard.length === 2) await stage.settle(id, 'signed');
    };
    const options = line === '2025-11-25' ? [undefined, { onprogress }] : [{ onprogress }];
    const call = client.callTool as (...args: unknown[]) => ReturnType<typeof client.callTool>;
    const answer = await call.call(client, wait, ...options);
    expect(answer.structuredContent).toMatchObject({ outcome: 'approved_not_yet_paid' });
    expect(heard.slice(0, 2)).toEqual([
      { progress: 2, total: 30, message: 'The person has not decided yet.' },
      { progress: 4, total: 30, message: 'The person has not decided yet.' },
    ]);
  });

  it('finds in the text alone what the next call needs', async () => {
    const client = await stage.open(line);
    const textOf = async (args: Record<string, unknown>) => {
      const { content } = await client.callTool({ name: 'request_payment', arguments: args });
      return content[0]?.text ?? '';
    };
    const { recipientId } = stage.payee;
    const listed = await client.callTool({ name: 'list_payees', arguments: {} });
    expect(listed.content[0]?.text).toContain(`${recipientId} "Shop"`);
    expect(await textOf({ ...purchaseArguments(), payee: 'Sh' })).toContain(`${recipientId} "Shop"`);
    const args = purchaseArguments();
    const [id] = /pr_\w+/.exec(await textOf(args)) ?? [];
    const twice = await textOf({ ...args, intent_id: randomUUID() });
    expect(twice).toContain(`Earlier requests: ${id} (pending`);
    const wrong = await textOf({ ...purchaseArguments(), asset: 'USDC' });
    expect(wrong).toMatch(/Expected: \{"asset":"USDC"\}, actual: \{"asset":"XLM"\}/);
  });

  it('is refused as the API refuses: by code, with what to do', async () => {
    const client = await stage.open(line);
    const answer = await client.callTool({ name: 'get_payment', arguments: { request_id: 'pr_none' } });
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'resource_not_found' } },
    });
    await expect(client.callTool({ name: 'approve_payment', arguments: {} })).rejects.toThrow('no tool');
  });

  it('has the scopes of its connection and no others', async () => {
    const agent = await usableAgent(stage.service, stage.merchant);
    const { connectionToken } = await connect(stage.service, agent, stage.device, ['payment.requests.read']);
    const client = await stage.open(line, connectionToken);
    const refused = await client.callTool({ name: 'request_payment', arguments: purchaseArguments() });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'insufficient_scope' } },
    });
    const listed = await client.callTool({ name: 'list_payments', arguments: {} });
    expect(listed.structuredContent).toMatchObject({ payments: [] });
  });
});

describe('a client that hangs up while it gets progress', () => {
  it('ends its wait, and nothing waits on', async () => {
    const client = await stage.open();
    const asked = await client.callTool({ name: 'request_payment', arguments: purchaseArguments() });
    const params = {
      name: 'wait_for_decision',
      arguments: { request_id: asked.structuredContent['request_id'], seconds: 50 },
      _meta: { progressToken: 7 },
    };
    const response = await postMcp(
      stage.service.url,
      { method: 'tools/call', params },
      { ...bearerHeader(stage.connectionToken), 'mcp-protocol-version': '2025-11-25' },
    );
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('"progressToken":7'))
      text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    const waiting = async () =>
      /^svc_waiting_calls(?:\{[^}]*\})? (\d+)$/m.exec(
        (await stage.service.call('GET', '/metrics')).text,
      )?.[1];
    await expect.poll(waiting).toBe('0');
  });
});

describe('the door', () => {
  it('opens to a connection token and to nothing else', async () => {
    const refusal = async (headers: Record<string, string>) => {
      const response = await postMcp(stage.service.url, LIST, headers);
      const { error } = (await response.json()) as { error?: { code?: string } };
      return `${response.status} ${error?.code ?? 'ok'}`;
    };
    expect(await refusal({})).toBe('401 unauthenticated');
    expect(await refusal(bearerHeader(withTypo(stage.connectionToken)))).toBe('401 unauthenticated');
    expect(await refusal(bearerHeader(await exchangeAssertion(stage.service, stage.agent)))).toBe(
      '401 unauthenticated',
    );
    expect(await refusal({ ...bearerHeader(stage.connectionToken), origin: 'https://evil.example' })).toBe(
      '403 csrf_invalid',
    );
    expect(await refusal(bearerHeader(stage.connectionToken))).toBe('200 ok');
    const gone = await paymentStage(stage.service);
    await stage.service.call('DELETE', '/v1/connections/current', { bearer: gone.connectionToken });
    expect(await refusal(bearerHeader(gone.connectionToken))).toBe('401 token_revoked');
    expect(
      (await fetch(`${stage.service.url}/mcp`, { headers: bearerHeader(stage.connectionToken) })).status,
    ).toBe(405);
  });

  it('counts each tool against the limits of the API', async () => {
    const limited = await serviceForTest({ env: { SVC_RATE_LIMITS: 'create=1/h' } });
    const own = await paymentStage(limited);
    const client = await mcpOverHttp(limited.url, '2026-07-28', bearerHeader(own.connectionToken));
    const first = await client.callTool({ name: 'request_payment', arguments: purchaseArguments() });
    expect(first.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const second = await client.callTool({ name: 'request_payment', arguments: purchaseArguments() });
    expect(second).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'rate_limited', retry_after_seconds: expect.any(Number) } },
    });
  });

  it('requests a proof where the agent requires one, once for the call and all that it makes', async () => {
    const own = await paymentStage(stage.service);
    await requireProof(stage.service, own.merchant.session, own.agent.agentId);
    const token = own.connectionToken;
    const call = (headers: Record<string, string>, args = purchaseArguments()) =>
      postMcp(
        stage.service.url,
        { method: 'tools/call', params: { name: 'request_payment', arguments: args } },
        headers,
      );
    const codeOf = async (response: Response) =>
      ((await response.json()) as { error: { code: string } }).error.code;
    const unproved = await call(bearerHeader(token));
    expect([unproved.status, await codeOf(unproved)]).toEqual([401, 'proof_required']);
    const metadata = `${stage.service.url}/.well-known/oauth-protected-resource/mcp`;
    expect(unproved.headers.get('www-authenticate')).toBe(
      `DPoP algs="EdDSA Ed25519", resource_metadata="${metadata}"`,
    );
    const elsewhere = signProof(stage.service, own.agent, {
      method: 'POST',
      path: '/v1/payment-requests',
      token,
    });
    expect(await codeOf(await call({ ...bearerHeader(token), ...elsewhere }))).toBe('proof_invalid');
    const proof = signProof(stage.service, own.agent, { method: 'POST', path: '/mcp', token });
    const proved = (await (await call({ ...bearerHeader(token), ...proof })).json()) as {
      result: { structuredContent: Record<string, unknown> };
    };
    expect(proved.result.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    expect(await codeOf(await call({ ...bearerHeader(token), ...proof }))).toBe('proof_invalid');
  });

  it('derives the key of its rounds once, however many calls come', async () => {
    const own = await serviceForTest();
    const { connectionToken } = await paymentStage(own);
    const mac = vi.spyOn(own.context.keys, 'mac');
    const client = await mcpOverHttp(own.url, '2026-07-28', bearerHeader(connectionToken));
    for (let call = 0; call < 3; call += 1)
      await client.callTool({ name: 'connection_status', arguments: {} });
    expect(mac.mock.calls.filter(([purpose]) => purpose === 'mcp-round')).toHaveLength(1);
  });

  it.each(['2025-11-25', undefined])('rejects a tool call without parameters (%s)', async (line) => {
    for (const params of [null, 7, 'text', [], { name: 'wait_for_decision', _meta: null }]) {
      const response = await postMcp(
        stage.service.url,
        { method: 'tools/call', params },
        { ...bearerHeader(stage.connectionToken), ...(line ? { 'mcp-protocol-version': line } : {}) },
      );
      const text = await response.text();
      expect([params, response.status < 500, text.includes('internal_error')]).toEqual([params, true, false]);
    }
  });

  it('accepts no subscription and leaves no stream open', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const response = await stage.send('subscriptions/listen', { params });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
  });
});

describe('a client that can show cards', () => {
  it('gets the address of a card that only shows', async () => {
    const capabilities = {
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    };
    const ask = async (method: string, params: Record<string, unknown>, name?: string) => {
      const message = { params, capabilities, ...(name === undefined ? {} : { name }) };
      return (await (await stage.send(method, message)).json()) as { result: Record<string, unknown> };
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
