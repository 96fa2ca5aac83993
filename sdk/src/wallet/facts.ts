import { factsDigest } from '@payassent/protocol';
import type { AgentPayment, PaymentRequest } from '../contract.ts';
import { needObject } from '../core/checks.ts';

/**
 * Whether the facts of a payment request or an agent payment are the ones that were pinned when it was created: network,
 * asset, amount, destination and the rest, computed again on this machine. A wallet that shows one should refuse it when
 * this is false.
 */
export function hasPinnedFacts(record: PaymentRequest | AgentPayment): boolean {
  needObject(record, 'Pass the payment request itself, for example answer.payment_request');
  const pinned = 'payment' in record ? { ...record.payment, ...versionOf(record) } : record;
  const { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo } = pinned;
  const facts = { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo };
  const { recipient_version_id } = pinned;
  return factsDigest({ ...facts, recipient_version_id }) === record.facts_digest;
}

function versionOf({ payee }: PaymentRequest) {
  return { recipient_version_id: payee.recipient_version_id };
}
