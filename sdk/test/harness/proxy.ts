import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does with a request that it has read completely. */
export type Treatment =
  /** Passes it on and passes the answer back. */
  | 'forward'
  /** Passes it on, waits until the service has answered, then cuts the connection without a byte. */
  | 'cut_after_commit'
  /** Passes it on and cuts the connection in the middle of the answer. */
  | 'cut_in_answer'
  /** Cuts the connection before the service hears of it. */
  | 'cut_before';

export interface Seen {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface FaultyProxy {
  url: string;
  seen: Seen[];
  /** Decides by request and by how many of the same method and path came before. */
  treat(decide: (request: Seen, index: number) => Treatment): void;
  close(): Promise<void>;
}

/** A real HTTP server in front of the real service that loses answers on purpose. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: Seen[] = [];
  let decide: (request: Seen, index: number) => Treatment = () => 'forward';
  const server = createServer(async (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const request = await readRequest(incoming);
    const index = seen.filter(
      ({ method, path }) => method === request.method && path === request.path,
    ).length;
    seen.push(request);
    const treatment = decide(request, index);
    if (treatment === 'cut_before') return outgoing.destroy();
    const answer = await pass(target, request);
    if (treatment === 'cut_after_commit') return outgoing.destroy();
    send(outgoing, answer, treatment === 'cut_in_answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    treat(next) {
      decide = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Passed {
  status: number;
  headers: string[];
  body: Buffer;
}

async function readRequest(incoming: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

async function pass(target: string, seen: Seen): Promise<Passed> {
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = seen.headers;
  const outgoing = httpRequest(target + seen.path, { method: seen.method, headers });
  outgoing.end(seen.body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return { status: incoming.statusCode ?? 0, headers: incoming.rawHeaders, body: Buffer.concat(chunks) };
}

function send(outgoing: ServerResponse, answer: Passed, cutInside: boolean): void {
  const names = answer.headers.filter((_, index) => index % 2 === 0);
  names.forEach((name, index) => {
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name))
      outgoing.appendHeader(name, answer.headers[index * 2 + 1] ?? '');
  });
  outgoing.writeHead(answer.status);
  if (!cutInside) return void outgoing.end(answer.body);
  const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
  outgoing.write(half, () => setTimeout(() => outgoing.destroy(), 20));
}
