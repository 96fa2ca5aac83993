import {
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { INSTRUCTIONS, type Tool, type ToolResult } from '@payassent/sdk/tools';
import { CARD, CARD_EXTENSION, CARD_URI } from './card.ts';
import { askToOpen, type Page } from './open-pages.ts';
import { WAITING_TOOL, withProgress } from './progress.ts';
import { runsTasks, serveTasks, TASKS_EXTENSION, taskOf } from './tasks.ts';

/*
 * The tools as an MCP server, for both protocol lines: `POST /mcp` makes one for each request, `payassent mcp` one for
 * its connection. It is stateless: what a second round needs travels with the client, signed.
 */

export interface ToolServerParts {
  tools: readonly Tool<string>[];
  version: string;
  /** At least 32 bytes that survive a restart, known only to this service or command. */
  stateKey: Uint8Array;
  /** Whose calls these are: a state issued to one caller is rejected from another. */
  caller: string;
  /** The client opens pages and reads its calls' results from streams. */
  asksToOpen?: boolean;
}

/** The subject of a call's second round. */
interface RoundState {
  request_id: string;
  /** The arguments of the first round; a state is valid for no other call. */
  args: string;
}

const STATE_LIFE_S = 600;
/** Tools whose result a host may show as a card. */
const CARD_TOOLS: ReadonlySet<string> = new Set([
  'request_payment',
  'wait_for_decision',
  'get_payment',
  'withdraw_payment',
]);

export function createToolServer(parts: ToolServerParts): Server {
  const { tools, version, stateKey, caller, asksToOpen = false } = parts;
  const states = createRequestStateCodec<RoundState>({
    key: stateKey,
    ttlSeconds: STATE_LIFE_S,
    bind: ({ mcpReq }) => `${mcpReq.method}\n${caller}`,
  });
  const server = new Server(
    { name: 'payassent', title: 'PayAssent', version },
    {
      capabilities: { tools: {}, resources: {}, extensions: { [TASKS_EXTENSION]: {} } },
      instructions: INSTRUCTIONS,
      requestState: { verify: states.verify },
    },
  );
  const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities | undefined =>
    (mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined)?.[CAPABILITIES] ??
    server.getClientCapabilities();

  const look = (request_id: string, signal: AbortSignal) =>
    named(tools, 'get_payment').call({ request_id }, { signal });

  serveTasks(server, capabilitiesOf, look);
  server.setRequestHandler('tools/list', (_request, ctx) => {
    const card = showsCards(capabilitiesOf(ctx)) ? { _meta: { ui: { resourceUri: CARD_URI } } } : {};
    return {
      tools: tools.map(({ call: _, ...definition }) => ({
        ...structuredClone(definition),
        ...(CARD_TOOLS.has(definition.name) ? card : {}),
      })) as never,
    };
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = named(tools, params.name);
    const args = JSON.stringify(params.arguments ?? {});
    const { signal } = ctx.mcpReq;
    const state = ctx.mcpReq.requestState<RoundState>();
    if (state !== undefined) {
      if (tool.name !== 'request_payment' || state.args !== args) throw refusedState();
      return toWire(await look(state.request_id, signal));
    }
    if (tool.name === WAITING_TOOL && runsTasks(capabilitiesOf(ctx))) {
      const seen = await look(String(params.arguments?.['request_id']), signal);
      const task = taskOf(seen);
      // With the current state: a client that declares tasks and does not follow them still has a whole result.
      return task ? ({ ...toWire(seen), resultType: 'task', ...task } as never) : toWire(seen);
    }
    const result = await withProgress(ctx, params, () => tool.call(params.arguments, { signal }));
    const page = tool.name === 'request_payment' ? pageToOpen(result) : undefined;
    if (page && asksToOpen) askToOpen(ctx, page);
    if (!page || !opensPages(capabilitiesOf(ctx))) return toWire(result);
    return inputRequired({
      inputRequests: { review: inputRequired.elicitUrl({ message: page.message, url: page.url }) },
      requestState: await states.mint({ request_id: page.requestId, args }, ctx),
    });
  });
  server.setRequestHandler('resources/list', (_request, ctx) => ({
    resources: showsCards(capabilitiesOf(ctx))
      ? [{ uri: CARD_URI, name: CARD.name, mimeType: CARD.mimeType }]
      : [],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    if (params.uri !== CARD_URI) throw new ResourceNotFoundError(params.uri, 'No such resource');
    return { contents: [{ uri: CARD_URI, mimeType: CARD.mimeType, text: CARD.html }] };
  });
  return server;
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

function named(tools: readonly Tool<string>[], name: string): Tool<string> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
  return tool;
}

function refusedState(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
}

function toWire(result: ToolResult) {
  return { ...result, structuredContent: result.structuredContent as Record<string, never> };
}

/** Opening it decides nothing: the person decides in the wallet. */
function pageToOpen({ structuredContent: content }: ToolResult): Page | undefined {
  const { outcome, review_url: url, request_id: requestId } = content;
  if (outcome !== 'waiting_for_person' || typeof url !== 'string' || typeof requestId !== 'string')
    return undefined;
  return { url, requestId, message: 'Open your wallet to review this payment and to decide.' };
}

function opensPages(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.elicitation?.url !== undefined;
}

function showsCards(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.extensions?.[CARD_EXTENSION] !== undefined;
}
