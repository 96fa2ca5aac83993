import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { KeyAndCertificate } from './certificates.ts';
import { type Behaviour, behave } from './receiver-behaviour.ts';

export type { Behaviour } from './receiver-behaviour.ts';

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

/** An http receiver on loopback that records what it gets and answers as told (200 with an empty body at first). */
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

/** As `startHttpReceiver`, behind TLS. `name` is what its URL says, for names that a test name server resolves. */
export async function startHttpsReceiver(
  identity: KeyAndCertificate,
  name = '127.0.0.1',
  host = '127.0.0.1',
): Promise<TestReceiver> {
  const { key, cert } = identity;
  return await startReceiver((listener) => createTlsServer({ key, cert }, listener), 'https', host, name);
}
