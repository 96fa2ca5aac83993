import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { lockEndpoint } from './sql.ts';
import { applyChange } from './update-endpoint.ts';
import type { EndpointRow } from './view.ts';

/**
 * The endpoint answered the challenge and becomes active, unless an operator was faster: the proof is for the
 * address that was asked, and a decision to disable that came meanwhile stands.
 */
export async function acceptProof(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  asked: EndpointRow,
): Promise<EndpointRow> {
  const before = await lockEndpoint(tx, principal.merchantId, asked.webhook_endpoint_id);
  if (!before) throw notFound();
  const wasDisabled = before.status === 'disabled' && asked.status !== 'disabled';
  if (before.url !== asked.url || wasDisabled) {
    throw new AppError('endpoint_verification_failed', {
      message: 'The endpoint was changed while it was being verified: verify it again.',
    });
  }
  return applyChange(tx, act, principal, {
    before,
    url: before.url,
    eventTypes: before.event_types,
    status: 'active',
    needsProof: false,
  });
}
