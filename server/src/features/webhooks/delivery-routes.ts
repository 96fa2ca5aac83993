import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import { listDeliveries } from './delivery-sql.ts';
import { redeliver } from './redeliver.ts';
import { deliveryView } from './view.ts';

export const deliveryRoutes: readonly Route[] = [
  implement(api.listWebhookDeliveries, {
    async run({ context, principal, query }) {
      const rows = await listDeliveries(
        context.db,
        principal.merchantId,
        {
          endpointId: query.webhook_endpoint_id,
          status: query.status,
          eventIds: query.event_id?.split(','),
        },
        { limit: query.limit, after: decodeCursor(query.cursor) },
      );
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.delivery_id }));
      return { webhook_deliveries: page.items.map(deliveryView), next_cursor: page.nextCursor };
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
