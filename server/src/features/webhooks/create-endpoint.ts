import { newWebhookSecret } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import type { Keys } from '../../lib/keys.ts';
import { FIXED_CAPS } from '../../limits.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import type { EndpointInput } from './schema.ts';
import { sealSecret } from './secrets.ts';
import { hostIn } from './send.ts';
import { countEndpoints, insertEndpoint, lockMerchant } from './sql.ts';
import type { EndpointRow } from './view.ts';

const MAX_ENDPOINTS = FIXED_CAPS.endpoints.count;

/** The secret is shown in this answer and never again. */
export async function createEndpoint(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: EndpointInput,
  keys: Keys,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const { merchantId } = principal;
  await lockMerchant(tx, merchantId);
  if ((await countEndpoints(tx, merchantId)) >= MAX_ENDPOINTS) {
    throw new AppError('limit_reached', {
      message: `An organization has at most ${MAX_ENDPOINTS} webhook endpoints: delete one first.`,
      details: { limit: MAX_ENDPOINTS },
    });
  }
  const id = act.newId('whe');
  const secret = newWebhookSecret(act.randomBytes);
  const endpoint = await insertEndpoint(
    tx,
    merchantId,
    {
      id,
      url: input.url,
      eventTypes: [...new Set(input.event_types ?? ['*'])],
      secret: sealSecret(keys, id, secret),
    },
    act.now,
  );
  await recordAudit(tx, act, {
    merchantId,
    type: 'webhook_endpoint.created',
    actor: auditActor(principal),
    target: { type: 'webhook_endpoint', id },
    details: { host: hostIn(endpoint.url), event_types: endpoint.event_types },
  });
  return { endpoint, secret };
}
