import type { IncomingMessage } from 'node:http';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@payassent/sdk';
import type { Hono } from 'hono';

/** Of Express, as much as the example uses; the test passes the real one, which comes without types. */
interface ExpressLike {
  raw(options: { type: string }): unknown;
}
interface ExpressApp {
  post(
    path: string,
    parser: unknown,
    handler: (
      req: IncomingMessage & { body: Uint8Array },
      res: { status(code: number): { send(text?: string): unknown } },
    ) => unknown,
  ): unknown;
}

/** Of Fastify, as much as the example uses; the test passes the real one. */
interface FastifyApp {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void,
  ): unknown;
  post(
    path: string,
    handler: (
      request: { body: unknown; headers: IncomingMessage['headers'] },
      reply: { code(status: number): { send(text?: string): unknown } },
    ) => unknown,
  ): unknown;
}

type Handle = (event: WebhookEvent) => void;

export function expressReceiver(app: ExpressApp, express: ExpressLike, secret: string, handle: Handle): void {
  // #region express
  app.post('/webhooks', express.raw({ type: 'application/json' }), (req, res) => {
    try {
      const event = verifyWebhook({ body: req.body, headers: req.headers, secret });
      if (event.type === 'webhook.verification') return res.status(200).send(event.data.challenge);
      handle(event);
      return res.status(204).send();
    } catch (error) {
      // Anything else is a mistake in this program: it belongs in the log.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return res.status(400).send();
    }
  });
  // #endregion
}

export function fastifyReceiver(app: FastifyApp, secret: string, handle: Handle): void {
  // #region fastify
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/webhooks', (request, reply) => {
    try {
      const event = verifyWebhook({ body: request.body as Buffer, headers: request.headers, secret });
      if (event.type === 'webhook.verification') return reply.code(200).send(event.data.challenge);
      handle(event);
      return reply.code(204).send();
    } catch (error) {
      // Anything else is a mistake in this program: it belongs in the log.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send();
    }
  });
  // #endregion
}

/** A route handler of Next.js is a function of a `Request`, as every fetch-like server has it. */
export function nextRoute(secret: string, handle: Handle): (request: Request) => Promise<Response> {
  // #region next
  // app/webhooks/route.ts: export this function as POST.
  return async function POST(request: Request): Promise<Response> {
    try {
      const event = verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret });
      if (event.type === 'webhook.verification') return new Response(event.data.challenge);
      handle(event);
      return new Response(null, { status: 204 });
    } catch (error) {
      // Anything else is a mistake in this program: it belongs in the log.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return new Response(null, { status: 400 });
    }
  };
  // #endregion
}

export function honoReceiver(app: Hono, secret: string, handle: Handle): void {
  // #region hono
  app.post('/webhooks', async (c) => {
    try {
      const event = verifyWebhook({ body: await c.req.arrayBuffer(), headers: c.req.raw.headers, secret });
      if (event.type === 'webhook.verification') return c.body(event.data.challenge, 200);
      handle(event);
      return c.body(null, 204);
    } catch (error) {
      // Anything else is a mistake in this program: it belongs in the log.
      if (!(error instanceof WebhookVerificationError)) throw error;
      return c.body(null, 400);
    }
  });
  // #endregion
}
