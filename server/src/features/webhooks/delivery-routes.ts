import { WebhookDeliverySchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { listDeliveries } from './delivery-sql.ts';
import { redeliver } from './redeliver.ts';
import { DeliveryQuery } from './schema.ts';
import { deliveryView } from './view.ts';

const TAG = 'Webhooks';

export const deliveryRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/webhook-deliveries',
    summary: 'List delivery attempts, newest first',
    description: 'One record per attempt; kept for 30 days.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    query: DeliveryQuery,
    answer: Type.Object({
      webhook_deliveries: Type.Array(WebhookDeliverySchema),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    async run({ context, principal, query }) {
      const rows = await listDeliveries(
        context.db,
        principal.merchantId,
        { endpointId: query.webhook_endpoint_id, status: query.status },
        { limit: query.limit, after: decodeCursor(query.cursor) },
      );
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.delivery_id }));
      return { webhook_deliveries: page.items.map(deliveryView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/webhook-deliveries/{id}/redeliver',
    summary: 'Send an event once more',
    description: 'A new record with the same event: same `webhook-id`, same bytes.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    status: 202,
    errors: ['resource_not_found', 'invalid_status_transition'],
    answer: Type.Object({ webhook_delivery: WebhookDeliverySchema }),
    async run({ context, act, principal, params }) {
      const delivery = await transaction(context.db, (tx) =>
        redeliver(tx, act, principal, params['id'] ?? ''),
      );
      return { webhook_delivery: deliveryView(delivery) };
    },
  }),
];
