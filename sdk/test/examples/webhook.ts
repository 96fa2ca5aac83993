import { verifyWebhook } from '@payassent/sdk';

/** A handler in the form of every fetch-like server. */
export function webhookHandler(secret: string): (request: Request) => Promise<Response> {
  // #region webhook
  return async (request) => {
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      const event = verifyWebhook({ body, headers: request.headers, secret });
      if (event.type === 'webhook.verification') return new Response(event.data.challenge);
      // Remember event.id: a message may come twice. Then read the record, which is the truth.
      return new Response(null, { status: 204 });
    } catch {
      return new Response(null, { status: 400 });
    }
  };
  // #endregion
}
