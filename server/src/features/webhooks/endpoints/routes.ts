import { allowedNext } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import type { Act } from '../../../act.ts';
import type { Context } from '../../../context.ts';
import { type Tx, transaction } from '../../../db/open.ts';
import { AppError, impossibleMove, limitReached, notFound } from '../../../errors.ts';
import { implement, type Route } from '../../../http/route.ts';
import type { MerchantPrincipal } from '../../../principals.ts';
import { readPage } from '../../page.ts';
import {
  insertPendingDelivery,
  listDeliveries,
  renewMessage,
  selectDelivery,
  selectPayload,
} from '../delivery-sql.ts';
import { announceQueue } from '../queue.ts';
import { DEADLINE_S } from '../send.ts';
import { applyChange, createEndpoint, deleteEndpoint, planChange, rotateSecret } from './endpoints.ts';
import { acceptProof, recordHandshake, shakeHands, verificationFailed } from './handshake.ts';
import { endpointIssues } from './schema.ts';
import { listEndpoints, lockEndpoint, selectEndpoint } from './sql.ts';
import { type DeliveryRow, deliveryView, type EndpointRow, endpointView } from './view.ts';

// Webhook endpoints: their calls, secrets, and the challenge that activates them. The rest of the folder above imports
// `secrets`, `sql` and `view`; push imports `schema`. An address gets messages only after it has returned a signed
// challenge.

const check = (body: { url?: string; event_types?: string[] }, context: Context) =>
  endpointIssues(body, { allowLoopback: context.config.baseUrlIsLoopback });

/** Sends the challenge outside any transaction; the attempt is recorded whatever its outcome. */
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
      const { items, next_cursor } = await readPage(query, 'webhook_endpoint_id', (page) =>
        listEndpoints(context.db, principal.merchantId, page),
      );
      return { webhook_endpoints: items.map(endpointView), next_cursor };
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

export const deliveryRoutes: readonly Route[] = [
  implement(api.listWebhookDeliveries, {
    async run({ context, principal, query }) {
      const { webhook_endpoint_id: endpointId, status, event_id } = query;
      const filter = { endpointId, status, eventIds: event_id?.split(',') };
      const { items, next_cursor } = await readPage(query, 'delivery_id', (page) =>
        listDeliveries(context.db, principal.merchantId, filter, page),
      );
      return { webhook_deliveries: items.map(deliveryView), next_cursor };
    },
  }),
  implement(api.getWebhookDelivery, {
    async run({ context: { db }, principal: { merchantId }, params }) {
      const delivery = await selectDelivery(db, merchantId, params['id'] ?? '');
      if (!delivery) throw notFound();
      const payload = await selectPayload(db, merchantId, delivery.event_id);
      return { webhook_delivery: deliveryView(delivery), payload };
    },
  }),
  implement(api.redeliverWebhook, {
    async run({ context, act, principal, params }) {
      const delivery = await transaction(context.db, (tx) =>
        redeliver(tx, act, principal, params['id'] ?? ''),
      );
      return { webhook_delivery: deliveryView(delivery) };
    },
  }),
];

/** Sends an event again: same id, same bytes, but a separate row and schedule. */
async function redeliver(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  deliveryId: string,
): Promise<DeliveryRow> {
  const { merchantId } = principal;
  const former = await selectDelivery(tx, merchantId, deliveryId);
  if (!former) throw notFound();
  const endpoint = await lockEndpoint(tx, merchantId, former.webhook_endpoint_id);
  if (!endpoint) throw notFound();
  if (endpoint.status !== 'active') {
    throw impossibleMove(
      [endpoint.status, 'active'],
      allowedNext('webhook_endpoint', endpoint.status, 'merchant'),
      'The endpoint of this delivery is not active: verify it, then repeat.',
    );
  }
  if (endpoint.queue_full_since) {
    throw limitReached('The delivery queue of this endpoint is full. Let the receiver catch up, then retry.');
  }
  if (!(await renewMessage(tx, merchantId, former.event_id, act.now))) {
    throw new AppError('resource_not_found', {
      message:
        'The bytes of this event are no longer kept, or it was a verification: read the record itself instead.',
    });
  }
  const delivery = await insertPendingDelivery(
    tx,
    merchantId,
    {
      delivery_id: act.newId('whd'),
      webhook_endpoint_id: endpoint.webhook_endpoint_id,
      event_id: former.event_id,
      event_type: former.event_type,
    },
    act.now,
  );
  announceQueue(tx, act);
  return delivery;
}
