import * as api from '@payassent/protocol/api';
import { Type } from '@payassent/protocol/records';
import { ConnectionClient } from '@payassent/sdk';
import { paymentTools } from '@payassent/sdk/tools';
import type { InnerFetch } from '../../http/pipeline/inner-calls.ts';
import { answer, type Call, implement, type Route, streamAnswer } from '../../http/route.ts';
import { VERSION } from '../../lib/version.ts';
import type { Feature } from '../feature.ts';
import { documents } from './documents.ts';

/** The entry for models: the tools over MCP, and the texts that explain them. */
export function mcpFeature(within: Parameters<typeof mcpRoute>[0]): Feature {
  return { name: 'mcp', routes: [mcpRoute(within)], documents };
}

/** The calls that the tools make. */
export const TOOL_CALLS: readonly api.Operation[] = [
  api.listPayees,
  api.getPayee,
  api.createPaymentRequest,
  api.getPaymentRequest,
  api.listPaymentRequests,
  api.listPaymentRequestEvents,
  api.withdrawPaymentRequest,
  api.getCurrentConnection,
];

/** Its bodies and responses, including their statuses, are those of MCP; only what comes before is ours. */
const callTools = api.operation({
  id: 'callTools',
  method: 'POST',
  path: '/mcp',
  summary: 'Call the tools for models (MCP, Streamable HTTP)',
  description: 'Stateless. Every tool is a call of this API by the same connection.',
  tag: 'Payment requests',
  credential: ['connection'],
  sameOriginOnly: 'or listed',
  limit: 'reads',
  // Its tools change data through separate calls.
  changesNothing: true,
  body: Type.Object({}, { additionalProperties: true }),
  isBare: true,
  answer: Type.Object({}, { additionalProperties: true }),
});

type ToolCall = Call<'connection', unknown, unknown>;

/** `POST /mcp`: one server for each request, so that any process can handle any round. */
function mcpRoute(within: (outer: ToolCall) => InnerFetch): Route {
  let stateKey: Uint8Array | undefined;
  return implement(callTools, {
    // The longest that wait_for_decision may take.
    outsideS: 50,
    async run(call) {
      const { context, principal, presented } = call;
      const { config, keys, clock, stopping } = context;
      const connection = new ConnectionClient({
        baseUrl: config.baseUrl,
        connectionToken: presented?.token ?? '',
        fetch: within(call),
        // The model gets the error and decides itself; a wait here would block its call.
        maxRetries: 0,
        allowInsecureHttp: true,
      });
      stateKey ??= keys.mac('mcp-round', keys.currentKeyId, 'v1');
      const parts = {
        tools: paymentTools(connection, { now: () => clock.now().getTime(), stopping }),
        version: VERSION,
        stateKey,
        caller: principal.connectionId,
      };
      // Loaded at the first model's call: a service without models starts without it.
      const { serveOnce } = await import('./serve.ts');
      const served = await serveOnce(parts, toWebRequest(config.baseUrl, call), call.body);
      const { status, text, headers, stream } = served;
      return stream ? streamAnswer(stream) : answer(text, { status, headers });
    },
  });
}

function toWebRequest(baseUrl: string, { request, hungUp, body }: ToolCall): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2)
    headers.append(request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '');
  return new Request(`${baseUrl}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: hungUp,
  });
}
