import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createToolServer, type ToolServerParts } from './server.ts';

/**
 * Answers one message of either protocol line with a server made for it. Always JSON: nothing of ours needs a stream, and
 * none is left open.
 */
export async function serveOnce(parts: ToolServerParts, request: Request, parsedBody: unknown) {
  const factory: McpServerFactory = () => createToolServer(parts);
  const isLegacy = await isLegacyRequest(request, parsedBody);
  const response = await (isLegacy ? serveLegacy : serveModern)(factory, request, parsedBody);
  return { status: response.status, text: await response.text() };
}

function serveModern(factory: McpServerFactory, request: Request, parsedBody: unknown): Promise<Response> {
  return createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, { parsedBody });
}

async function serveLegacy(
  factory: McpServerFactory,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const server = await factory({ era: 'legacy', requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
