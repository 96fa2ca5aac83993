import type { Issue } from '@payassent/protocol';
import {
  type DecidedId,
  type DecisionKind,
  type DecisionSignature,
  decisionStatement,
  signatureFault,
  type WebauthnAssertion,
} from '@payassent/protocol/evidence';
import type { Decision } from '@payassent/protocol/records';
import type { Fragment, Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import { spendCounter } from './counters.ts';
import type { DecisionKeyRow } from './keys.ts';
import { invalidSignature, refuseFault } from './signature-refusal.ts';

/** How far the time of a signature may be from the service's. */
export const MAX_SKEW_MS = 5 * MINUTE_MS;

/** As sent by a wallet with its report. */
export interface SentDecision {
  decided_at: string;
  signature?: string;
  webauthn?: WebauthnAssertion;
}

/** The decision of a report; undefined for reports about the outcome of an earlier decision. */
export function decisionIn(status: string): DecisionKind | undefined {
  if (status === 'signed') return 'approve';
  return status === 'rejected' ? 'reject' : undefined;
}

/** Issues visible in the body alone, on both surfaces. */
export function decisionIssues(body: { status?: string; decision?: Partial<SentDecision> }): Issue[] {
  const { status, decision } = body;
  if (decision === undefined || typeof decision !== 'object') return [];
  if (status !== undefined && decisionIn(status) === undefined)
    return [
      {
        field: 'decision',
        code: 'unknown_field',
        message: 'decision can only be sent with signed and rejected.',
      },
    ];
  if ((decision.signature === undefined) === (decision.webauthn === undefined))
    return [
      {
        field: 'decision.signature',
        code: decision.signature === undefined ? 'required' : 'invalid_format',
        message: 'Send either signature or webauthn.',
      },
    ];
  return [];
}

/** The subject of the statement, as pinned by the service. */
export type DecidedFacts = DecidedId & {
  connection_id: string;
  facts_digest: string;
  context_digest: string | null;
  expires_at: string;
};

/**
 * Checks a signed decision against what the service has pinned: the wallet made its statement from what it showed, and
 * only when both are the same is the signature valid. Returns the record's `decision`.
 */
export async function judgeDecision(
  sql: Sql,
  facts: DecidedFacts,
  kind: DecisionKind,
  deviceId: string,
  key: DecisionKeyRow | undefined,
  sent: SentDecision,
  now: Date,
): Promise<Decision> {
  if (!key) throw invalidSignature('decision', 'no_key', 'this device has no decision key');
  if (Math.abs(Date.parse(sent.decided_at) - now.getTime()) > MAX_SKEW_MS)
    throw invalidSignature('decision.decided_at', 'decided_at', 'decided_at is more than five minutes off');
  const { decided_at } = sent;
  const statement = decisionStatement({ ...facts, decision: kind, device_id: deviceId, decided_at });
  const signed = signedOf(sent);
  refuseFault('decision', signatureFault(key.key, statement, signed));
  await spendCounter(sql, { walletId: key.wallet_id, thumbprint: key.thumbprint }, 'decision', signed);
  return {
    decision: kind,
    decided_at,
    device_id: deviceId,
    alg: key.alg,
    key_thumbprint: key.thumbprint,
    statement,
    ...signed,
  };
}

function signedOf({ signature, webauthn }: SentDecision): DecisionSignature {
  return webauthn ? { webauthn } : { signature: signature ?? '' };
}

/** Of a wallet that signs nothing, or a rejection: who decided what, and when the service received it. */
export function unsignedDecision(kind: DecisionKind, deviceId: string, now: Date): Decision {
  return {
    decision: kind,
    decided_at: now.toISOString(),
    device_id: deviceId,
    alg: null,
    key_thumbprint: null,
    statement: null,
    signature: null,
  };
}

/**
 * A decision as every party but its wallet reads it: an unsigned one names no device. Nothing verifies it by its
 * device, and the id would link one customer's decisions at several merchants.
 */
export function shownDecision<Of extends Decision | null>(decision: Of): Of {
  return decision?.alg === null ? { ...decision, device_id: null } : decision;
}

/** For an unsigned rejection the log has the entry of the end only. */
export function isLoggedDecision(decision: Decision | null): boolean {
  return decision !== null && (decision.alg !== null || decision.decision === 'approve');
}

/** A repeat needs no decision, and with a different one it is no repeat. */
export function refuseOtherDecision(stored: Decision | null, sent: SentDecision | undefined): void {
  if (!sent) return;
  const { decided_at, signature, webauthn } = stored ?? {};
  const isSame =
    decided_at === sent.decided_at &&
    (sent.webauthn === undefined
      ? signature === sent.signature
      : webauthn?.signature === sent.webauthn.signature);
  if (!isSame)
    throw new AppError('status_conflict', {
      field: 'decision',
      message: 'The record already has another decision, which never changes.',
    });
}

export function signatureRequired(): AppError {
  return new AppError('decision_signature_required', { field: 'decision' });
}

/** For a deciding report without a signature. A rejection never needs a key, so that a stolen one cannot prevent it. */
export function needsKey(kind: DecisionKind, sent: SentDecision | undefined): boolean {
  return kind === 'approve' && !sent;
}

/**
 * Part of every statement that writes a decision: an unsigned approval only while no device of wallet `of` has a key, a
 * signed decision only while its key is current.
 */
export function decisionStands(
  sql: Sql,
  { keyId, status, of }: { keyId: Fragment; status: Fragment; of: Fragment },
): Fragment {
  return sql`case when ${keyId} is null
    then ${status} = 'rejected'
      or not exists (select from decision_keys k where k.wallet_id = ${of} and k.ended_at is null)
    else exists (select from decision_keys k where k.decision_key_id = ${keyId} and k.ended_at is null) end`;
}
