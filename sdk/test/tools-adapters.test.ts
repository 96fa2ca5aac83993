import { randomUUID } from 'node:crypto';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { aiSdkTools, langChainTools, openAiTools, paymentTools } from '@payassent/sdk/tools';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
});
afterAll(() => service.close());

type Call = { name: string; args: Record<string, unknown> };
type Content = Record<string, unknown>;

/**
 * A model as a script: it reads what the last tool returned and returns the next call. The person approves while it
 * waits. Undefined ends the conversation.
 */
function scriptedModel(amount: string) {
  const intent_id = randomUUID();
  return async (last: Content | undefined): Promise<Call | undefined> => {
    if (!last) return { name: 'list_payees', args: {} };
    const [payee] = (last['payees'] as { name: string }[] | undefined) ?? [];
    if (payee)
      return { name: 'request_payment', args: { payee: payee.name, amount, purpose: 'Tickets', intent_id } };
    const request_id = String(last['request_id']);
    const { reportStatus } = world.wallet.paymentRequests;
    const report = reportStatus.bind(world.wallet.paymentRequests);
    if (last['outcome'] === 'waiting_for_person') await report(request_id, { status: 'signed' });
    else if (last['outcome'] === 'approved_not_yet_paid') {
      await report(request_id, { status: 'broadcasted', tx_hash: randomUUID() });
      await report(request_id, { status: 'confirmed' });
    } else return undefined;
    return {
      name: last['outcome'] === 'waiting_for_person' ? 'wait_for_decision' : 'get_payment',
      args: { request_id },
    };
  };
}

const CALLS = ['list_payees', 'request_payment', 'wait_for_decision', 'get_payment'];

describe('a whole purchase', () => {
  it('is driven by the AI SDK', async () => {
    const next = scriptedModel('2.01');
    const model = new MockLanguageModelV3({
      async doGenerate({ prompt }) {
        const last = prompt.at(-1);
        const part = last?.role === 'tool' ? last.content[0] : undefined;
        const output = part?.type === 'tool-result' ? (part.output as { value: Content }).value : undefined;
        const call = await next(output);
        return {
          content: call
            ? [
                {
                  type: 'tool-call',
                  toolCallId: randomUUID(),
                  toolName: call.name,
                  input: JSON.stringify(call.args),
                },
              ]
            : [{ type: 'text', text: String(output?.['outcome']) }],
          finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        };
      },
    });
    const { text, steps } = await generateText({
      model,
      tools: aiSdkTools(paymentTools(world.connection)),
      prompt: 'Buy two tickets.',
      stopWhen: stepCountIs(10),
    });
    expect(text).toBe('paid');
    expect(steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual(CALLS);
    const [sent] = model.doGenerateCalls;
    expect(sent?.tools?.map(({ name }) => name)).toContain('request_payment');
  });

  it('is driven by OpenAI function calls', async () => {
    const next = scriptedModel('2.02');
    const { tools, run } = openAiTools(paymentTools(world.connection));
    expect(tools[1]).toMatchObject({
      type: 'function',
      function: { name: 'request_payment', parameters: { type: 'object' } },
    });
    const called: string[] = [];
    let last: Content | undefined;
    for (let call = await next(last); call; call = await next(last)) {
      called.push(call.name);
      const id = randomUUID();
      const message = await run({ id, function: { name: call.name, arguments: JSON.stringify(call.args) } });
      expect(message).toMatchObject({ role: 'tool', tool_call_id: id });
      last = JSON.parse(message.content);
    }
    expect(last).toMatchObject({ outcome: 'paid' });
    expect(called).toEqual(CALLS);
    const { content } = await run({ id: 'x', function: { name: 'request_payment', arguments: '{' } });
    expect(JSON.parse(content)).toMatchObject({ error: { code: 'validation_failed' } });
  });

  it('is driven by function calls of the Responses API', async () => {
    const next = scriptedModel('2.04');
    const { responsesTools, run } = openAiTools(paymentTools(world.connection));
    expect(responsesTools[1]).toMatchObject({
      type: 'function',
      name: 'request_payment',
      parameters: { type: 'object' },
      strict: false,
    });
    const called: string[] = [];
    let last: Content | undefined;
    for (let call = await next(last); call; call = await next(last)) {
      called.push(call.name);
      const call_id = `call_${randomUUID()}`;
      const item = { type: 'function_call', id: 'fc_1', call_id, status: 'completed' };
      const made = await run({ ...item, name: call.name, arguments: JSON.stringify(call.args) });
      expect(made).toEqual({ type: 'function_call_output', call_id, output: expect.any(String) });
      last = JSON.parse(made.output);
    }
    expect(last).toMatchObject({ outcome: 'paid' });
    expect(called).toEqual(CALLS);
    const { output } = await run({ call_id: 'x', name: 'pay_now', arguments: '{}' });
    expect(JSON.parse(output)).toMatchObject({ error: { code: 'unknown_tool' } });
  });

  it('is driven by LangChain', async () => {
    const next = scriptedModel('2.03');
    const tools = langChainTools(paymentTools(world.connection), tool as never) as StructuredToolInterface[];
    const messages: BaseMessage[] = [];
    const content = () => {
      const last = messages.at(-1);
      return last ? (JSON.parse(String(last.content)) as Content) : undefined;
    };
    const called: string[] = [];
    for (let call = await next(undefined); call; call = await next(content())) {
      const { name, args } = call;
      called.push(name);
      const request = new AIMessage({ content: '', tool_calls: [{ id: randomUUID(), name, args }] });
      const [toolCall] = request.tool_calls ?? [];
      const found = tools.find((candidate) => candidate.name === name);
      const answer = await found?.invoke({ ...toolCall, type: 'tool_call' } as never);
      expect(answer).toBeInstanceOf(ToolMessage);
      messages.push(answer as unknown as ToolMessage);
    }
    expect(content()).toMatchObject({ outcome: 'paid' });
    expect(called).toEqual(CALLS);
  });
});
