import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What went through. */
export interface Recorded {
  method: string;
  path: string;
  body: string;
}

/** A plain relay in front of the service that remembers what it passed on. */
export interface RecordingRelay {
  url: string;
  calls: readonly Recorded[];
  close(): Promise<void>;
}

export async function startRecordingRelay(target: string): Promise<RecordingRelay> {
  const calls: Recorded[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = 'GET', url = '/', headers } = incoming;
    calls.push({ method, path: url, body: body.toString('utf8') });
    const outgoing = send(new URL(url, target), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    // When one side hangs up, the other ends too.
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
