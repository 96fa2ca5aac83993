import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { ToolResult } from '@payassent/sdk/tools';

/*
 * The person's decision as a task (SEP-2663), for clients that declare tasks: instead of a blocked call they get a
 * handle, and poll with it. It is stored nowhere: a handle is the id of a request, and every poll is authorized like
 * any other call.
 */

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const POLL_INTERVAL_MS = 2_000;
const PREFIX = 'decision.';

export function runsTasks(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** The handle, in place of a result, while the person has not decided. Undefined when there is a result. */
export function taskOf(result: ToolResult): Record<string, unknown> | undefined {
  const { outcome, request_id: id, created_at: createdAt } = result.structuredContent;
  if (outcome !== 'waiting_for_person' || typeof id !== 'string') return undefined;
  return {
    taskId: PREFIX + Buffer.from(id).toString('base64url'),
    status: 'working',
    statusMessage: result.content[0]?.text,
    createdAt,
    lastUpdatedAt: createdAt,
    // As long as the request itself.
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

type Look = (requestId: string, signal: AbortSignal) => Promise<ToolResult>;

/** `tasks/get`, and `tasks/cancel` and `tasks/update`, which change nothing: the person still decides. */
export function serveTasks(
  server: Server,
  capabilitiesOf: (ctx: ServerContext) => ClientCapabilities | undefined,
  look: Look,
): void {
  const known = async (taskId: string, ctx: ServerContext): Promise<ToolResult> => {
    if (!runsTasks(capabilitiesOf(ctx)))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    const name = taskId.startsWith(PREFIX) ? taskId.slice(PREFIX.length) : '';
    const result = await look(Buffer.from(name, 'base64url').toString(), ctx.mcpReq.signal);
    const { code } = (result.structuredContent['error'] ?? {}) as { code?: string };
    if (code === 'resource_not_found' || code === 'validation_failed')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task');
    // A failed poll reveals nothing about the decision: the task continues.
    if (result.isError)
      throw new ProtocolError(ProtocolErrorCode.InternalError, result.content[0]?.text ?? '');
    return result;
  };
  server.setRequestHandler('tasks/get', { params: TASK_PARAMS }, async ({ taskId }, ctx) => {
    const result = await known(taskId, ctx);
    const { created_at: createdAt } = result.structuredContent;
    return (
      taskOf(result) ?? {
        taskId,
        status: 'completed',
        createdAt,
        lastUpdatedAt: new Date().toISOString(),
        ttlMs: null,
        result,
      }
    );
  });
  for (const method of ['tasks/cancel', 'tasks/update'])
    server.setRequestHandler(method, { params: TASK_PARAMS }, async ({ taskId }, ctx) => {
      await known(taskId, ctx);
      return {};
    });
}

const TASK_PARAMS: StandardSchemaV1<unknown, { taskId: string }> = {
  '~standard': {
    version: 1,
    vendor: 'payassent',
    validate(value) {
      const { taskId } = value as { taskId?: unknown };
      return typeof taskId === 'string' && taskId.length <= 1000
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId must be a text' }] };
    },
  },
};
