import { newWebhookSecret } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { sealSecret } from './secrets.ts';
import { replaceSecret } from './sql.ts';
import type { EndpointRow } from './view.ts';

/** How long the former secret signs beside the new one. */
const OVERLAP_MS = DAY_MS;

export async function rotateSecret(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  endpointId: string,
  keys: Keys,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const { merchantId } = principal;
  const secret = newWebhookSecret(act.randomBytes);
  const overlapEnd = addMs(act.now, OVERLAP_MS);
  const sealed = sealSecret(keys, endpointId, secret);
  const endpoint = await replaceSecret(tx, merchantId, endpointId, sealed, overlapEnd, act.now);
  if (!endpoint) throw notFound();
  await recordAudit(tx, act, {
    merchantId,
    type: 'webhook_endpoint.secret_rotated',
    actor: auditActor(principal),
    target: { type: 'webhook_endpoint', id: endpointId },
    details: { former_secret_signs_until: overlapEnd.toISOString() },
  });
  return { endpoint, secret };
}
