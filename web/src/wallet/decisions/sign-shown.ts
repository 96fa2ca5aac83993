import { compareDecimals, factsDigest } from '@payassent/protocol';
import { contextDigest, decisionStatement } from '@payassent/protocol/evidence';
import type { SignedDecision } from '@payassent/sdk';
import { decisionKeys as texts } from '../../texts/wallet.ts';
import type { Payment } from '../payments/payment.ts';
import { CannotSignError } from '../signing/signer.ts';
import { readEntry, writeEntry } from '../storage/database.ts';
import { type HeldKey, signWith } from './held-key.ts';

export type Verdict = 'approve' | 'reject';

/** What was on the screen when the person decided. */
interface Shown {
  payment: Payment;
  /** The pinned context as it is drawn; null when none is pinned. */
  context: Readonly<Record<string, unknown>> | null;
}

/** Signs what is drawn: the digests are computed from it here, regardless of the digests that the service returned. */
export async function signShown(
  { payment, context }: Shown,
  verdict: Verdict,
  deviceId: string,
  held: HeldKey,
): Promise<SignedDecision> {
  if (verdict === 'approve' && needsPasskey(payment, held, await readPasskeyLimit()))
    throw new CannotSignError(texts.limit.needed);
  const decided_at = new Date().toISOString();
  const { kind, id, connectionId, facts, expiresAt } = payment;
  const statement = decisionStatement({
    ...(kind === 'request' ? { request_id: id } : { agent_payment_id: id }),
    decision: verdict,
    connection_id: connectionId,
    device_id: deviceId,
    facts_digest: factsDigest(facts),
    context_digest: context && contextDigest(context),
    expires_at: expiresAt,
    decided_at,
  });
  return { decided_at, ...(await signWith(held, statement)) };
}

/** Whether the customer requires a passkey for this amount, and this device signs with something weaker. */
function needsPasskey({ facts }: Payment, held: HeldKey, limit: string | undefined): boolean {
  return held.key.alg !== 'webauthn' && limit !== undefined && compareDecimals(facts.amount, limit) > 0;
}

const LIMIT = 'passkey-above';

/** Payments above this amount are approved with a passkey only. Stored with the credential, and deleted with it. */
export async function readPasskeyLimit(): Promise<string | undefined> {
  return (await readEntry<string>('device', LIMIT)) || undefined;
}

export function keepPasskeyLimit(limit: string): Promise<void> {
  return writeEntry('device', LIMIT, limit);
}
