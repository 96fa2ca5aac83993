import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  readonly port: number;
  /** Without a final slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** What a handler gets: the request with its whole body, and no more of the connection. */
export interface LoopbackRequest {
  method: string;
  /** Of this server, as the caller knows it; without a final slash. */
  origin: string;
  /** Always begins with a slash; without the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface LoopbackAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

type Handler = (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>;

const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * An HTTP server for programs and browsers of this machine. Only requests that name it as a loopback host are served: a
 * page on the web cannot reach it under another name that resolves to this machine.
 */
export async function startLoopbackServer(handle: Handler, port = 0): Promise<LoopbackServer> {
  const server = createServer((incoming, response) => {
    serve(incoming, response, handle).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    url: `http://127.0.0.1:${own}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(incoming: IncomingMessage, response: ServerResponse, handle: Handler): Promise<void> {
  response.on('error', () => undefined);
  const body = await readBody(incoming);
  const answer = await decide(incoming, body, handle);
  response.writeHead(answer.status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  });
  response.end(answer.body ?? '');
}

async function decide(
  incoming: IncomingMessage,
  body: Buffer | undefined,
  handle: Handler,
): Promise<LoopbackAnswer> {
  const { host = '' } = incoming.headers;
  if (!isLoopbackName(host)) return plainAnswer(421, 'Use 127.0.0.1 or localhost.');
  if (body === undefined) return plainAnswer(413, 'Too large.');
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
  return await handle({
    method: incoming.method ?? 'GET',
    origin: `http://${host}`,
    path: pathname,
    headers: incoming.headers,
    body,
  });
}

export function plainAnswer(status: number, text: string): LoopbackAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

export function jsonAnswer(value: unknown): LoopbackAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: `${JSON.stringify(value, null, 2)}\n`,
  };
}

function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return bytes <= BODY_LIMIT_BYTES ? Buffer.concat(chunks) : undefined;
}
