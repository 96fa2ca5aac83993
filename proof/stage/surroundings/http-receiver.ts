import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { KeyAndCertificate } from './certificates.ts';

export interface ReceivedRequest {
  method: string;
  /** Path and query as sent. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The raw bytes, also as text. */
  body: Buffer;
  text: string;
  at: number;
}

/** What to do with a request: always the same, or decided by the request. */
export type Script = Behaviour | ((request: ReceivedRequest, index: number) => Behaviour);

export interface TestReceiver {
  readonly port: number;
  /** Without a final slash. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** How many connections were ever accepted, whether or not a request came over them. */
  readonly connectionCount: number;
  readonly openConnectionCount: number;
  script(script: Script): void;
  /** Resolves when `count` requests have arrived since the start. */
  waitForRequests(count: number, timeoutMs?: number): Promise<readonly ReceivedRequest[]>;
  close(): Promise<void>;
}

const defaultWaitMs = 30_000;

/**
 * An HTTP receiver on loopback that records its requests and responds by its script (200 with an empty body at first).
 */
export async function startHttpReceiver(host = '127.0.0.1'): Promise<TestReceiver> {
  return await startReceiver((listener) => createServer(listener), 'http', host);
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function startReceiver(
  create: (listener: Listener) => Server,
  scheme: 'http' | 'https',
  host: string,
  nameInUrl = host.includes(':') ? `[${host}]` : host,
): Promise<TestReceiver> {
  let script: Script = { kind: 'answer' };
  let connectionCount = 0;
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiters = new Set<() => void>();

  const server = create((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = record(incoming, Buffer.concat(chunks));
      requests.push(request);
      for (const wake of waiters) wake();
      behave(typeof script === 'function' ? script(request, requests.length - 1) : script, response);
    });
  });
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `${scheme}://${nameInUrl}:${port}`,
    requests,
    get connectionCount() {
      return connectionCount;
    },
    get openConnectionCount() {
      return sockets.size;
    },
    script(next) {
      script = next;
    },
    waitForRequests: (count, timeoutMs = defaultWaitMs) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (requests.length < count) return;
          clearTimeout(timer);
          waiters.delete(check);
          resolve(requests);
        };
        const timer = setTimeout(() => {
          waiters.delete(check);
          reject(new Error(`${requests.length} of ${count} requests within ${timeoutMs} ms`));
        }, timeoutMs);
        waiters.add(check);
        check();
      }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function record(incoming: IncomingMessage, body: Buffer): ReceivedRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers,
    body,
    text: body.toString('utf8'),
    at: Date.now(),
  };
}

/** As `startHttpReceiver`, behind TLS. `name` is the host in its URL, for names that a test name server resolves. */
export async function startHttpsReceiver(
  identity: KeyAndCertificate,
  name = '127.0.0.1',
  host = '127.0.0.1',
): Promise<TestReceiver> {
  const { key, cert } = identity;
  return await startReceiver((listener) => createTlsServer({ key, cert }, listener), 'https', host, name);
}

/** The ways in which a receiver responds, or fails to. */
export type Behaviour =
  | {
      kind: 'answer';
      status?: number;
      headers?: Record<string, string>;
      body?: string | Uint8Array;
      delayMs?: number;
      /** Not before this has happened. */
      after?: Promise<unknown>;
    }
  | { kind: 'redirect'; location: string; status?: number }
  | { kind: 'never' }
  /** A header line now and then, without end. */
  | { kind: 'drip-headers'; everyMs: number }
  /** 200, then a byte now and then, without end. */
  | { kind: 'drip-body'; everyMs: number }
  /** 103 now and then, without end. */
  | { kind: 'drip-informational'; everyMs: number }
  | { kind: 'huge-body'; bytes: number }
  | { kind: 'huge-headers'; bytes: number }
  | { kind: 'reset'; when: 'before-headers' | 'in-body' }
  /** Bytes that are no HTTP. */
  | { kind: 'garbage' }
  /** These bytes and nothing else, then the end of the connection. */
  | { kind: 'raw'; bytes: string };

export function behave(behaviour: Behaviour, response: ServerResponse): void {
  const socket = response.socket;
  response.on('error', () => undefined);
  if (socket === null) return;
  switch (behaviour.kind) {
    case 'answer':
      answer(behaviour, response);
      break;
    case 'redirect':
      response.writeHead(behaviour.status ?? 302, { location: behaviour.location }).end();
      break;
    case 'never':
      break;
    case 'drip-headers':
      drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-more: to come\r\n', behaviour.everyMs);
      break;
    case 'drip-body':
      drip(socket, 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', '.', behaviour.everyMs);
      break;
    case 'drip-informational':
      drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n', behaviour.everyMs);
      break;
    case 'huge-body':
      hugeBody(behaviour.bytes, response);
      break;
    case 'huge-headers':
      socket.end(`HTTP/1.1 200 OK\r\nx-huge: ${'a'.repeat(behaviour.bytes)}\r\ncontent-length: 0\r\n\r\n`);
      break;
    case 'reset':
      reset(behaviour.when, socket);
      break;
    case 'garbage':
      socket.end('\u0000\u0001 these are not the bytes you are looking for \r\n\r\n');
      break;
    case 'raw':
      socket.end(behaviour.bytes, 'latin1');
  }
}

function answer(behaviour: Extract<Behaviour, { kind: 'answer' }>, response: ServerResponse): void {
  const { status = 200, headers = {}, body = '', delayMs = 0, after } = behaviour;
  const reply = (): void => void response.writeHead(status, headers).end(body);
  if (after) {
    void after.then(reply);
    return;
  }
  if (delayMs === 0) {
    reply();
    return;
  }
  const timer = setTimeout(reply, delayMs);
  response.once('close', () => clearTimeout(timer));
}

function drip(socket: Socket, opening: string, drop: string, everyMs: number): void {
  socket.write(opening);
  const timer = setInterval(() => socket.write(drop), everyMs);
  socket.once('close', () => clearInterval(timer));
}

function hugeBody(bytes: number, response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 0x61);
  let remaining = bytes;
  response.writeHead(200, { 'content-length': String(bytes) });
  const pump = (): void => {
    while (remaining > 0 && !response.destroyed) {
      const part = chunk.subarray(0, Math.min(remaining, chunk.length));
      remaining -= part.length;
      if (!response.write(part)) return void response.once('drain', pump);
    }
    response.end();
  };
  pump();
}

function reset(when: 'before-headers' | 'in-body', socket: Socket): void {
  if (when === 'before-headers') return void socket.resetAndDestroy();
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.resetAndDestroy());
}
