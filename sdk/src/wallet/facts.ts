import { factsDigest, type PaymentRequest } from '@countersign/protocol';

/**
 * Whether the facts of a request are the ones that were pinned when it was created: network, asset, amount, destination
 * and the rest, computed anew on this machine. A wallet that shows a request should refuse one for which this is false.
 */
export function hasPinnedFacts(request: PaymentRequest): boolean {
  const { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo } = request.payment;
  const facts = { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo };
  const { recipient_version_id } = request.payee;
  return factsDigest({ ...facts, recipient_version_id }) === request.facts_digest;
}
