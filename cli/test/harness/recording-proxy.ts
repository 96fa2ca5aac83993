import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call as it passed by, with every byte of both bodies. */
export interface Recorded {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  status: number;
  answerHeaders: Readonly<Record<string, string>>;
  answer: string;
}

export interface RecordingProxy {
  url: string;
  recorded: Recorded[];
  /** Answers this instead of asking the service, for calls that match. */
  breakAt(matches: (method: string, path: string) => boolean, status: number, body: string): void;
  close(): Promise<void>;
}

/** Stands between a client and a service and writes down what passes; it knows nothing of either. */
export async function startRecordingProxy(targetPort: number): Promise<RecordingProxy> {
  const recorded: Recorded[] = [];
  let broken: { matches(method: string, path: string): boolean; status: number; body: string } | undefined;
  const server = createServer(async (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const { method = '', url: path = '' } = incoming;
    const body = await read(incoming);
    const answered = broken?.matches(method, path)
      ? { status: broken.status, headers: { 'content-type': 'application/json' }, body: broken.body }
      : await forward(targetPort, incoming, body);
    recorded.push({
      method,
      path,
      headers: flat(incoming.headers),
      body,
      status: answered.status,
      answerHeaders: flat(answered.headers),
      answer: answered.body,
    });
    outgoing.writeHead(answered.status, answered.headers);
    outgoing.end(answered.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    breakAt(matches, status, body) {
      broken = { matches, status, body };
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type HttpHeaders = IncomingMessage['headers'];

async function forward(
  port: number,
  incoming: IncomingMessage,
  body: string,
): Promise<{ status: number; headers: HttpHeaders; body: string }> {
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
  const outgoing = httpRequest(`http://127.0.0.1:${port}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const {
    connection: ____,
    'keep-alive': _____,
    'transfer-encoding': ______,
    ...answerHeaders
  } = answer.headers;
  return { status: answer.statusCode ?? 0, headers: answerHeaders, body: await read(answer) };
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function flat(headers: HttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}
