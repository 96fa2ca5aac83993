import { WebhookEndpointSchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { recordHandshake, shakeHands, verificationFailed } from './handshake.ts';
import { rotateSecret } from './rotate-secret.ts';
import { EndpointChange, EndpointInput, endpointIssues } from './schema.ts';
import { listEndpoints, selectEndpoint } from './sql.ts';
import { applyChange, planChange } from './update-endpoint.ts';
import { acceptProof } from './verify-endpoint.ts';
import { type EndpointRow, endpointView } from './view.ts';

const TAG = 'Webhooks';
const secret = Type.String({ description: '`whsec_` and 32 bytes in base64. Shown once.' });
const one = Type.Object({ webhook_endpoint: WebhookEndpointSchema });
const withSecret = Type.Object({ webhook_endpoint: WebhookEndpointSchema, secret });

const check = (body: { url?: string; event_types?: string[] }, context: Context) =>
  endpointIssues(body, { allowLoopback: context.config.baseUrlIsLoopback });

/** Asks outside any transaction; the attempt is on record whatever comes of it. */
async function prove(context: Context, act: Act, endpoint: EndpointRow): Promise<void> {
  const handshake = await shakeHands(context, act, endpoint);
  await transaction(context.db, (tx) => recordHandshake(tx, act, endpoint, handshake));
  if (!handshake.passed) throw verificationFailed(handshake);
}

export const endpointRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints',
    summary: 'Create a webhook endpoint; its secret is shown once',
    description: 'Nothing is sent until the endpoint has been verified.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: EndpointInput,
    check,
    status: 201,
    errors: ['limit_reached'],
    answer: withSecret,
    async run({ context, act, principal, body }) {
      const made = await transaction(context.db, (tx) =>
        createEndpoint(tx, act, principal, body, context.keys),
      );
      return { webhook_endpoint: endpointView(made.endpoint), secret: made.secret };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints',
    summary: 'List the webhook endpoints of this organization, newest first',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    query: Type.Object(PAGE_QUERY),
    answer: Type.Object({
      webhook_endpoints: Type.Array(WebhookEndpointSchema),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listEndpoints(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({
        createdAt: row.created_at,
        id: row.webhook_endpoint_id,
      }));
      return { webhook_endpoints: page.items.map(endpointView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}',
    summary: 'Read one webhook endpoint',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    errors: ['resource_not_found'],
    answer: one,
    async run({ context, principal, params }) {
      const endpoint = await selectEndpoint(context.db, principal.merchantId, params['id'] ?? '');
      if (!endpoint) throw notFound();
      return { webhook_endpoint: endpointView(endpoint) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{id}',
    summary: 'Change the address, the subscriptions or the status of a webhook endpoint',
    description:
      'A new url has to be verified before anything is sent to it. Setting a disabled endpoint to active sends it a challenge first.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: EndpointChange,
    check,
    errors: [
      'resource_not_found',
      'version_conflict',
      'invalid_status_transition',
      'endpoint_verification_failed',
    ],
    answer: one,
    async run({ context, act, principal, params, body }) {
      const endpoint = await transaction(context.db, async (tx) => {
        const plan = await planChange(tx, principal, params['id'] ?? '', body);
        return plan.needsProof ? { plan } : { done: await applyChange(tx, act, principal, plan) };
      });
      if (endpoint.done) return { webhook_endpoint: endpointView(endpoint.done) };
      const { plan } = endpoint;
      await prove(context, act, plan.before);
      const after = await transaction(context.db, (tx) => applyChange(tx, act, principal, plan));
      return { webhook_endpoint: endpointView(after) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint and cancel what waits for it',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    errors: ['resource_not_found'],
    answer: one,
    async run({ context, act, principal, params }) {
      const endpoint = await transaction(context.db, (tx) =>
        deleteEndpoint(tx, act, principal, params['id'] ?? ''),
      );
      return { webhook_endpoint: endpointView(endpoint) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/verify',
    summary: 'Send a challenge to a webhook endpoint; the right answer activates it',
    description:
      'Sends a signed `webhook.verification` at once. A 2xx answer whose body is the challenge, or a JSON object with it as `challenge`, passes.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    errors: ['resource_not_found', 'endpoint_verification_failed'],
    answer: one,
    async run({ context, act, principal, params }) {
      const asked = await selectEndpoint(context.db, principal.merchantId, params['id'] ?? '');
      if (!asked) throw notFound();
      await prove(context, act, asked);
      const endpoint = await transaction(context.db, (tx) => acceptProof(tx, act, principal, asked));
      return { webhook_endpoint: endpointView(endpoint) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/rotate-secret',
    summary: 'Replace the secret of a webhook endpoint',
    description: 'Both secrets sign for 24 hours. Another rotation ends the oldest one at once.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    errors: ['resource_not_found'],
    answer: withSecret,
    async run({ context, act, principal, params }) {
      const made = await transaction(context.db, (tx) =>
        rotateSecret(tx, act, principal, params['id'] ?? '', context.keys),
      );
      return { webhook_endpoint: endpointView(made.endpoint), secret: made.secret };
    },
  }),
];
