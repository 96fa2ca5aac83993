import { WEBHOOK_VERIFICATION_TYPE } from '@payassent/protocol';
import type { Act } from '../../../act.ts';
import type { Tx } from '../../../db/open.ts';
import { AppError, notFound } from '../../../errors.ts';
import type { SigningKeys } from '../../../keys/signing-keys.ts';
import type { Keys } from '../../../lib/keys.ts';
import type { Outbound, OutboundResult } from '../../../lib/outbound/index.ts';
import type { MerchantPrincipal } from '../../../principals.ts';
import { insertFinishedDelivery } from '../delivery-sql.ts';
import { webhookBody } from '../queue.ts';
import { failed, judgeAnswer, type Outcome, postOf, webhookSigner } from '../send.ts';
import { applyChange } from './endpoints.ts';
import { openSecrets } from './secrets.ts';
import { lockEndpoint } from './sql.ts';
import type { EndpointRow } from './view.ts';

interface Handshake {
  passed: boolean;
  deliveryId: string;
  eventId: string;
  outcome: Outcome;
}

/**
 * Challenges the endpoint to prove that it accepts messages: it must extract the challenge from a signed message and
 * return it. Sending the message back, whole or wrapped into something, is no proof.
 */
export async function shakeHands(
  parts: { keys: Keys; signing: SigningKeys; outbound: Outbound; stopping: AbortSignal },
  act: Act,
  endpoint: Pick<EndpointRow, 'url'> & Parameters<typeof openSecrets>[1],
): Promise<Handshake> {
  const challenge = Buffer.from(act.randomBytes(32)).toString('base64url');
  const eventId = act.newId('evt');
  const body = webhookBody({
    eventId,
    type: WEBHOOK_VERIFICATION_TYPE,
    occurredAt: act.now,
    data: { challenge },
  });
  const request = postOf({
    url: endpoint.url,
    eventId,
    body: Buffer.from(body, 'utf8'),
    secrets: openSecrets(parts.keys, endpoint, act.now),
    signer: webhookSigner(parts.signing.webhook),
    at: act.now,
  });
  const result = await parts.outbound.send(request, parts.stopping);
  const outcome = judgeHandshake(result, challenge);
  if (!outcome) throw new AppError('unavailable');
  return { passed: outcome.delivered, deliveryId: act.newId('whd'), eventId, outcome };
}

function judgeHandshake(result: OutboundResult, challenge: string): Outcome | undefined {
  const outcome = judgeAnswer(result);
  if (!outcome?.delivered || !result.ok) return outcome;
  return !result.truncated && answersChallenge(result.body, challenge)
    ? outcome
    : failed(outcome.httpStatus, 'challenge_mismatch', outcome.durationMs);
}

function answersChallenge(body: Uint8Array, challenge: string): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8').trim();
  if (text === challenge) return true;
  try {
    const parsed: unknown = JSON.parse(text);
    return (
      typeof parsed === 'object' &&
      parsed !== null &&
      !Array.isArray(parsed) &&
      (parsed as Record<string, unknown>)['challenge'] === challenge
    );
  } catch {
    return false;
  }
}

/** The attempt, passed or not, has its row among the deliveries. */
export async function recordHandshake(
  tx: Tx,
  act: Act,
  endpoint: Pick<EndpointRow, 'webhook_endpoint_id' | 'merchant_id'>,
  { deliveryId, eventId, outcome }: Handshake,
): Promise<void> {
  await insertFinishedDelivery(tx, endpoint.merchant_id, {
    delivery_id: deliveryId,
    event_id: eventId,
    event_type: WEBHOOK_VERIFICATION_TYPE,
    webhook_endpoint_id: endpoint.webhook_endpoint_id,
    status: outcome.delivered ? 'delivered' : 'failed',
    http_status: outcome.httpStatus,
    error_class: outcome.errorClass,
    duration_ms: outcome.durationMs,
    created_at: act.now,
    attempted_at: act.now,
  });
}

/** The merchant gets the class of the failure and the delivery that shows it. */
export function verificationFailed({ deliveryId, outcome }: Handshake): AppError {
  return new AppError('endpoint_verification_failed', {
    details: {
      delivery_id: deliveryId,
      error_class: outcome.errorClass,
      http_status: outcome.httpStatus,
    },
  });
}

/**
 * The endpoint has returned the challenge and becomes active, unless a team member was faster: the proof is for the
 * address that was challenged, and a decision to disable that came meanwhile wins.
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
