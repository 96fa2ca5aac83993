import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { formatWebhookSecret, signWebhook } from '@payassent/protocol';
import { signTestWebhook, type WebhookEvent } from '@payassent/sdk';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expressReceiver, fastifyReceiver, honoReceiver, nextRoute } from './examples/webhooks.ts';

const secret = formatWebhookSecret(new Uint8Array(32).fill(5));
type Handle = (event: WebhookEvent) => void;

async function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function fastify(handle: Handle): Promise<string> {
  const app = Fastify();
  fastifyReceiver(app, secret, handle);
  onTestFinished(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
}

async function express(handle: Handle): Promise<string> {
  const real = createRequire(import.meta.url)('express');
  const app = real();
  expressReceiver(app, real, secret, handle);
  return listening(createServer(app));
}

/** Next.js and Hono hand out the platform's own `Request`; a server of Node makes one of what it receives. */
async function fetchLike(handler: (request: Request) => Promise<Response>): Promise<string> {
  return listening(
    createServer(async (req, res) => {
      const headers = Object.entries(req.headers).map(
        ([name, value]) => [name, String(value)] as [string, string],
      );
      const body = await bytesOf(req);
      const response = await handler(
        new Request('http://receiver.example/webhooks', {
          method: 'POST',
          headers,
          body: Uint8Array.from(body),
        }),
      );
      res.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
    }),
  );
}

async function hono(handle: Handle): Promise<string> {
  const app = new Hono();
  honoReceiver(app, secret, handle);
  return fetchLike(async (request) => app.fetch(request));
}

describe.each([
  ['Express', express],
  ['Fastify', fastify],
  ['Request and Response of Next.js', (handle: Handle) => fetchLike(nextRoute(secret, handle))],
  ['Hono', hono],
])('the receiver for the real %s', (_, start) => {
  const send = async (url: string, body: string, signed = body) => {
    const id = (JSON.parse(signed) as { id: string }).id;
    const now = Math.floor(Date.now() / 1000);
    const headers = { ...signWebhook({ id, timestampSeconds: now, body: signed, secrets: [secret] }) };
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    const response = await fetch(`${url}/webhooks`, init);
    return [response.status, await response.text()];
  };

  it('responds to the challenge, takes what is signed byte for byte, and refuses a changed byte', async () => {
    const seen: string[] = [];
    const url = await start((event) => void seen.push(event.id));
    const at = '2026-11-15T12:00:00.000Z';
    const challenge = JSON.stringify({
      id: 'evt_1',
      type: 'webhook.verification',
      timestamp: at,
      data: { challenge: 'abc' },
    });
    expect(await send(url, challenge)).toEqual([200, 'abc']);
    // Blanks and the form of a number would be lost by a parser that writes it again.
    const event = `{ "id":"evt_2",  "type":"payment_request.created","timestamp":"${at}","data":{"n":1.10, "t":"ü"} }`;
    expect(await send(url, event)).toEqual([204, '']);
    expect(await send(url, `${event} `, event)).toEqual([400, '']);
    expect(seen).toEqual(['evt_2']);
  });
});

describe('a receiver behind a parser of JSON', () => {
  it('names the cause in the log of the receiver, and never calls the message forged', async () => {
    const real = createRequire(import.meta.url)('express');
    const told: unknown[] = [];
    const app = real();
    app.use(real.json());
    expressReceiver(app, real, secret, () => undefined);
    app.use(
      (error: unknown, _req: unknown, res: { status(code: number): { end(): void } }, _next: unknown) => {
        told.push(error);
        res.status(500).end();
      },
    );
    const url = await listening(createServer(app));
    const { body, headers } = signTestWebhook({
      type: 'webhook.verification',
      data: { challenge: 'a' },
      secret,
    });
    expect((await fetch(`${url}/webhooks`, { method: 'POST', body, headers })).status).toBe(500);
    expect(String(told)).toContain("express.raw({ type: 'application/json' })");
  });
});
