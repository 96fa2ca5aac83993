import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { cancelQueue } from './delivery-sql.ts';
import { announceQueue } from './queue.ts';
import { hostIn } from './send.ts';
import { markEndpointDeleted } from './sql.ts';
import type { EndpointRow } from './view.ts';

const CANCEL_AT_ONCE = 5_000;

/** A longer queue is finished off in the background; none of it is sent either way. */
export async function deleteEndpoint(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  endpointId: string,
): Promise<EndpointRow> {
  const { merchantId } = principal;
  const endpoint = await markEndpointDeleted(tx, merchantId, endpointId, act.now);
  if (!endpoint) throw notFound();
  const cancelled = await cancelQueue(tx, merchantId, endpointId, CANCEL_AT_ONCE);
  if (cancelled === CANCEL_AT_ONCE) announceQueue(tx, act);
  await recordAudit(tx, act, {
    merchantId,
    type: 'webhook_endpoint.deleted',
    actor: auditActor(principal),
    target: { type: 'webhook_endpoint', id: endpointId },
    details: { host: hostIn(endpoint.url), cancelled_deliveries: cancelled },
  });
  return endpoint;
}
