import { randomUUID } from 'node:crypto';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { type PaymentStage, paymentStage, report } from '../people/payments.ts';
import { type ServiceOptions, startService, type TestService } from './service.ts';

/** As much of a client as the tests use; the official ones of both protocol lines fit. */
export interface McpClient {
  listTools(): Promise<{ tools: { name: string; [member: string]: unknown }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<ToolAnswer>;
  close(): Promise<void>;
}

interface ToolAnswer {
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read the results of tools member by member
  structuredContent: Record<string, any>;
  isError?: boolean;
}

export type ProtocolLine = '2026-07-28' | '2025-11-25';
export const PROTOCOL_LINES: readonly ProtocolLine[] = ['2026-07-28', '2025-11-25'];

const INFO = { name: 'test', version: '1' };

/** An official client of one protocol line, connected over HTTP; closes itself. */
export async function mcpOverHttp(
  url: string,
  line: ProtocolLine,
  headers: Record<string, string>,
): Promise<McpClient> {
  const address = new URL('/mcp', url);
  const options = { requestInit: { headers } };
  const connect = async () => {
    if (line === '2025-11-25') {
      const client = new LegacyClient(INFO);
      await client.connect(new LegacyTransport(address, options) as never);
      return client;
    }
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: line } } });
    await client.connect(new ModernTransport(address, options));
    return client;
  };
  const client = (await connect()) as unknown as McpClient;
  onTestFinished(() => client.close());
  return client;
}

const MODERN: ProtocolLine = '2026-07-28';

/** A message of the modern protocol line, in the parts that tests vary. */
export interface McpMessage {
  params: Record<string, unknown>;
  /** The capabilities that the client declares. */
  capabilities?: Record<string, unknown>;
  /** The tool, resource or task that the message is about. */
  name?: string;
  token?: string;
}

export const bearerHeader = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends a message to `/mcp` as any program could send it. */
export function postMcp(
  url: string,
  message: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

let amounts = 0;
/** Arguments of `request_payment`, each time for another amount. */
export function purchaseArguments(): Record<string, unknown> {
  amounts += 1;
  return {
    payee: 'Shop',
    amount: `3.${String(amounts).padStart(3, '0')}`,
    purpose: 'Tickets',
    intent_id: randomUUID(),
  };
}

/** A service with a connected agent, and ways to speak MCP with that agent's token. */
export interface McpStage extends PaymentStage {
  service: TestService;
  /** An official client. */
  open(line?: ProtocolLine, token?: string): Promise<McpClient>;
  /** Sends one message without an official client. */
  send(method: string, message: McpMessage): Promise<Response>;
  /** The wallet reports the status of a request. */
  settle(requestId: string, status: string, more?: Record<string, unknown>): Promise<void>;
}

export async function mcpStage(options: ServiceOptions = {}): Promise<McpStage> {
  const service = await startService(options);
  const stage = await paymentStage(service);
  return {
    ...stage,
    service,
    open: (line = MODERN, token = stage.connectionToken) =>
      mcpOverHttp(service.url, line, bearerHeader(token)),
    send(method, { params, capabilities = {}, name, token = stage.connectionToken }) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      const headers = {
        ...bearerHeader(token),
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      };
      return postMcp(service.url, { method, params: { ...params, _meta } }, headers);
    },
    async settle(requestId, status, more = {}) {
      const { status: http } = await report(service, stage, requestId, { status, ...more });
      if (http !== 200) throw new Error(`the report of ${status} was refused with ${http}`);
    },
  };
}
