import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { addMs } from '../../lib/clock.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { GIVE_UP_AFTER_MS } from './schedule.ts';
import { disableEndpoint } from './sql.ts';

/** `gone`: it answered 410. `failing`: nothing but failure for as long as we are willing to try. */
export type DisableReason = 'gone' | 'failing';

/** The service gives up on an endpoint; an operator can verify it again. */
export async function giveUpOn(tx: Tx, act: Act, endpointId: string, reason: DisableReason): Promise<void> {
  const failingSinceBefore = reason === 'failing' ? addMs(act.now, -GIVE_UP_AFTER_MS) : undefined;
  const endpoint = await disableEndpoint(tx, endpointId, { failingSinceBefore }, act.now);
  if (!endpoint) return;
  await recordAudit(tx, act, {
    merchantId: endpoint.merchant_id,
    type: 'webhook_endpoint.disabled',
    actor: SYSTEM_ACTOR,
    target: { type: 'webhook_endpoint', id: endpointId },
    details: { from: 'active', to: 'disabled', reason },
  });
}
