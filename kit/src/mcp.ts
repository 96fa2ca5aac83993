import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';

/** As much of a client as the tests use; the official ones of both protocol lines fit. */
export interface McpClient {
  listTools(): Promise<{ tools: { name: string; [member: string]: unknown }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: what a tool returns is what the tests look at
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
