import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does with a request that it has read completely. */
export type Treatment =
  /** Passes it on and passes the response back. */
  | 'forward'
  /** Passes it on, waits for the service's response, then cuts the connection without a byte. */
  | 'cut_after_commit'
  /** Passes it on and cuts the connection in the middle of the response. */
  | 'cut_in_answer'
  /** Cuts the connection before the service receives the request. */
  | 'cut_before'
  /** Sends this response instead of passing the request on. */
  | { status: number; body: string };

interface Asked {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** One call as it passed by, with every byte of both bodies; without a response of the service its status is 0. */
export interface PassedCall extends Asked {
  status: number;
  answerHeaders: Readonly<Record<string, string>>;
  answer: string;
}

export interface HttpProxy {
  url: string;
  /** In the order of their responses. */
  calls: PassedCall[];
  /** Decides by request and by how many of the same method and path came before. */
  treat(decide: (request: Asked, index: number) => Treatment): void;
  close(): Promise<void>;
}

/** A real HTTP server in front of the real service: it records the calls, and drops responses on request. */
export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const calls: PassedCall[] = [];
  let decide: (request: Asked, index: number) => Treatment = () => 'forward';
  const server = createServer(async (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const { method = '', url: path = '' } = incoming;
    const asked = { method, path, headers: flat(incoming.headers), body: `${await read(incoming)}` };
    const index = calls.filter((call) => call.method === method && call.path === path).length;
    const treatment = decide(asked, index);
    const answer = await answerTo(target, incoming, asked, treatment, outgoing).catch(() => undefined);
    calls.push({
      ...asked,
      status: answer?.status ?? 0,
      answerHeaders: answer?.headers ?? {},
      answer: `${answer?.body ?? ''}`,
    });
    if (!answer || treatment === 'cut_after_commit') return outgoing.destroy();
    send(outgoing, answer, treatment === 'cut_in_answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    treat(next) {
      decide = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Names and values in turn, as they were sent. */
  rawHeaders: string[];
  body: Buffer;
}

async function answerTo(
  target: string,
  incoming: IncomingMessage,
  { method, path, body }: Asked,
  treatment: Treatment,
  outgoing: ServerResponse,
): Promise<Answer | undefined> {
  if (treatment === 'cut_before') return undefined;
  if (typeof treatment === 'object') {
    const rawHeaders = ['content-type', 'application/json'];
    return { status: treatment.status, headers: {}, rawHeaders, body: Buffer.from(treatment.body) };
  }
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
  const asking = httpRequest(target + path, { method, headers });
  // When the caller disconnects, so does the proxy.
  outgoing.on('close', () => asking.destroy());
  asking.end(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  const { statusCode = 0, rawHeaders } = answer;
  return { status: statusCode, headers: flat(answer.headers), rawHeaders, body: await read(answer) };
}

function send(outgoing: ServerResponse, { status, rawHeaders, body }: Answer, cutInside: boolean): void {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(rawHeaders[at] ?? ''))
      outgoing.appendHeader(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  outgoing.writeHead(status);
  if (!cutInside) return void outgoing.end(body);
  const half = body.subarray(0, Math.floor(body.length / 2));
  outgoing.write(half, () => setTimeout(() => outgoing.destroy(), 20));
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}
