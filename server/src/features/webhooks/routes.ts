import * as api from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { recordHandshake, shakeHands, verificationFailed } from './handshake.ts';
import { rotateSecret } from './rotate-secret.ts';
import { endpointIssues } from './schema.ts';
import { DEADLINE_S } from './send.ts';
import { listEndpoints, selectEndpoint } from './sql.ts';
import { applyChange, planChange } from './update-endpoint.ts';
import { acceptProof } from './verify-endpoint.ts';
import { type EndpointRow, endpointView } from './view.ts';

const check = (body: { url?: string; event_types?: string[] }, context: Context) =>
  endpointIssues(body, { allowLoopback: context.config.baseUrlIsLoopback });

/** Asks outside any transaction; the attempt is on record whatever comes of it. */
async function prove(context: Context, act: Act, endpoint: EndpointRow): Promise<void> {
  const handshake = await shakeHands(context, act, endpoint);
  await transaction(context.db, (tx) => recordHandshake(tx, act, endpoint, handshake));
  if (!handshake.passed) throw verificationFailed(handshake);
}

export const endpointRoutes: readonly Route[] = [
  implement(api.createWebhookEndpoint, {
    check,
    async run({ context, act, principal, body }) {
      const made = await transaction(context.db, (tx) =>
        createEndpoint(tx, act, principal, body, context.keys),
      );
      return { webhook_endpoint: endpointView(made.endpoint), secret: made.secret };
    },
  }),
  implement(api.listWebhookEndpoints, {
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
  implement(api.getWebhookEndpoint, {
    async run({ context, principal, params }) {
      const endpoint = await selectEndpoint(context.db, principal.merchantId, params['id'] ?? '');
      if (!endpoint) throw notFound();
      return { webhook_endpoint: endpointView(endpoint) };
    },
  }),
  implement(api.updateWebhookEndpoint, {
    outsideS: DEADLINE_S,
    check,
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
  implement(api.deleteWebhookEndpoint, {
    async run({ context, act, principal, params }) {
      const endpoint = await transaction(context.db, (tx) =>
        deleteEndpoint(tx, act, principal, params['id'] ?? ''),
      );
      return { webhook_endpoint: endpointView(endpoint) };
    },
  }),
  implement(api.verifyWebhookEndpoint, {
    outsideS: DEADLINE_S,
    async run({ context, act, principal, params }) {
      const asked = await selectEndpoint(context.db, principal.merchantId, params['id'] ?? '');
      if (!asked) throw notFound();
      await prove(context, act, asked);
      const endpoint = await transaction(context.db, (tx) => acceptProof(tx, act, principal, asked));
      return { webhook_endpoint: endpointView(endpoint) };
    },
  }),
  implement(api.rotateWebhookSecret, {
    async run({ context, act, principal, params }) {
      const made = await transaction(context.db, (tx) =>
        rotateSecret(tx, act, principal, params['id'] ?? '', context.keys),
      );
      return { webhook_endpoint: endpointView(made.endpoint), secret: made.secret };
    },
  }),
];
