import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../run/random.ts';

const PAGE = '<!doctype html><title>Gateway</title><h1>The service is not available</h1>';

/**
 * A typical proxy in front of a service: it responds with 502 where it does not reach the service, with 504 where it
 * does not wait for the end, and now and then serves an error page with status 200.
 */
export async function startGateway(target: string, random: Random, onFault: () => void) {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const fate = random.weighted([
      ['passes', 94],
      ['502', 2],
      ['504', 2],
      ['page', 2],
    ]);
    const answerWithPage = (status: number) => {
      if (outgoing.headersSent) return void outgoing.destroy();
      onFault();
      outgoing.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      outgoing.end(PAGE);
    };
    if (fate === '502' || fate === 'page') {
      incoming.resume();
      return answerWithPage(fate === '502' ? 502 : 200);
    }
    const { method, url: path, headers } = incoming;
    const passedOn = request({ hostname, port, method, path, headers }, (answer) => {
      if (fate === '504') {
        answer.resume();
        answer.on('error', () => undefined);
        // The service has carried out the request; only the response is lost.
        return void answer.on('close', () => answerWithPage(504));
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    passedOn.on('error', () => answerWithPage(502));
    outgoing.on('error', () => undefined).on('close', () => passedOn.destroy());
    incoming.on('error', () => passedOn.destroy()).pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
