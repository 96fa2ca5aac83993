import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Stream } from '../../lib/event-stream.ts';
import { isOfSessionThatOpensPages, sessionFor } from './open-pages.ts';
import { wantsProgress } from './progress.ts';
import { createToolServer, type ToolServerParts } from './server.ts';

interface Served {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
  /** Replaces the text. */
  stream?: Stream;
}

/**
 * Handles one message of either protocol line with a server made for it. The response is JSON, except where a client
 * requests the progress of a wait: then a stream that ends with the result.
 */
export async function serveOnce(
  parts: ToolServerParts,
  request: Request,
  parsedBody: unknown,
): Promise<Served> {
  const ended = new AbortController();
  const signal = AbortSignal.any([request.signal, ended.signal]);
  const bound = new Request(request, { signal });
  const isLegacy = await isLegacyRequest(request, parsedBody);
  const tool = takesStream(request) ? toolCalled(parsedBody) : undefined;
  const asksToOpen = isLegacy && tool?.name === 'request_payment' && isOfSessionThatOpensPages(request);
  const streams = asksToOpen || (tool !== undefined && wantsProgress(tool));
  const factory: McpServerFactory = () => createToolServer({ ...parts, asksToOpen });
  const exchange = isLegacy
    ? await serveLegacy(factory, bound, parsedBody, streams)
    : await serveModern(factory, bound, parsedBody);
  const { response, close } = exchange;
  const { status, headers: sent, body } = response;
  const headers = isLegacy ? sessionFor(parsedBody) : {};
  if (!body || !sent.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text();
    await close();
    return { status, text, headers };
  }
  return {
    status,
    text: '',
    headers,
    async stream({ write, gone }) {
      gone.addEventListener('abort', () => ended.abort(), { once: true });
      const decoder = new TextDecoder();
      try {
        for await (const part of body) if (!(await write(decoder.decode(part, { stream: true })))) break;
      } finally {
        await close();
      }
    },
  };
}

function takesStream(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/event-stream') ?? false;
}

function toolCalled(message: unknown): { name: string } | undefined {
  const { method, params } = (message ?? {}) as { method?: string; params?: { name: string } | null };
  // The protocol library rejects a call without parameters.
  return method === 'tools/call' ? (params ?? undefined) : undefined;
}

interface Exchange {
  response: Response;
  close(): Promise<void>;
}

async function serveModern(
  factory: McpServerFactory,
  request: Request,
  parsedBody: unknown,
): Promise<Exchange> {
  // JSON, unless something is sent before the result: the progress that a client requested.
  const handler = createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0, responseMode: 'auto' });
  return { response: await handler.fetch(request, { parsedBody }), close: async () => undefined };
}

async function serveLegacy(
  factory: McpServerFactory,
  request: Request,
  parsedBody: unknown,
  streams: boolean,
): Promise<Exchange> {
  const server = await factory({ era: 'legacy', requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
  await server.connect(transport);
  const close = () => server.close();
  try {
    return { response: await transport.handleRequest(request, { parsedBody }), close };
  } catch (error) {
    await close();
    throw error;
  }
}
