import { paymentStage } from '@payassent/proof/people/payments';
import { type McpMessage, type McpStage, mcpStage, purchaseArguments } from '@payassent/proof/service/mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stage: McpStage;
beforeAll(async () => {
  stage = await mcpStage();
});
afterAll(() => stage.service.close());

describe('a client that follows tasks', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  interface Answer {
    result?: Record<string, unknown> & { taskId: string; result?: Record<string, unknown> };
    error?: { code: number; message: string };
  }
  const send = async (method: string, message: McpMessage): Promise<Answer> =>
    (await (await stage.send(method, { capabilities: TASKS, ...message })).json()) as Answer;
  const wait = (request_id: string, capabilities: Record<string, unknown> = TASKS) => {
    const name = 'wait_for_decision';
    return send('tools/call', {
      params: { name, arguments: { request_id, seconds: 1 } },
      name,
      capabilities,
    });
  };
  const about = (
    taskId: string,
    method = 'tasks/get',
    more: { token?: string; capabilities?: Record<string, unknown> } = {},
  ) => send(method, { params: { taskId }, name: taskId, ...more });
  const ask = async (): Promise<string> => {
    const client = await stage.open();
    const asked = await client.callTool({ name: 'request_payment', arguments: purchaseArguments() });
    return asked.structuredContent['request_id'];
  };

  it('gets a handle immediately instead of a wait, and the result when the person has decided, after a restart too', async () => {
    const id = await ask();
    const { result } = await wait(id);
    // A client that declares tasks and does not follow them still has a whole result.
    const structuredContent = { request_id: id, outcome: 'waiting_for_person' };
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, structuredContent });
    const { taskId } = result ?? { taskId: '' };
    expect((await about(taskId)).result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    await stage.service.restart();
    await stage.settle(id, 'signed');
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
    await stage.settle(id, 'rejected');
    expect((await about(taskId)).result?.result).toMatchObject({
      structuredContent: { outcome: 'rejected_by_person' },
    });
  });

  it('gets nothing for a handle of another connection, which is refused as an unknown one', async () => {
    const taskId = (await wait(await ask())).result?.taskId ?? '';
    const { connectionToken: token } = await paymentStage(stage.service);
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
