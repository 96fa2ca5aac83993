import { randomUUID } from 'node:crypto';
import { type McpClient, mcpOverHttp, type ProtocolLine } from './mcp.ts';
import { type PaymentStage, paymentStage, report } from './payments.ts';
import { startService, type TestService } from './service.ts';

const MODERN: ProtocolLine = '2026-07-28';

/** A message of the modern protocol line, in the parts that tests vary. */
export interface McpMessage {
  params: Record<string, unknown>;
  /** What the client says it can do. */
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

export async function mcpStage(): Promise<McpStage> {
  const service = await startService();
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
