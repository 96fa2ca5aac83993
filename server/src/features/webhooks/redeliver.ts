import { allowedNext } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { insertPendingDelivery, renewMessage, selectDelivery } from './delivery-sql.ts';
import { announceQueue } from './queue.ts';
import { lockEndpoint } from './sql.ts';
import type { DeliveryRow } from './view.ts';

/** Sends an event once more: same id, same bytes, a row and a schedule of its own. */
export async function redeliver(
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
    throw new AppError('invalid_status_transition', {
      message: 'The endpoint of this delivery is not active: verify it, then repeat.',
      details: {
        from: endpoint.status,
        to: 'active',
        allowed: allowedNext('webhook_endpoint', endpoint.status, 'merchant'),
      },
    });
  }
  if (endpoint.queue_full_since) {
    throw new AppError('limit_reached', {
      message:
        'Too many deliveries wait for this endpoint already: it takes new ones when they have become fewer.',
    });
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
