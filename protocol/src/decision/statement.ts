import { sha256Hex } from '../digests.ts';
import { canonicalJson } from '../encoding/canonical-json.ts';

const DECISION_PROFILE = 'svc.decision.v1';

export type DecisionKind = 'approve' | 'reject';

/** What was decided about, on either surface. */
export type DecidedId = { request_id: string } | { agent_payment_id: string };

export type DecisionFacts = DecidedId & {
  decision: DecisionKind;
  connection_id: string;
  device_id: string;
  facts_digest: string;
  context_digest: string | null;
  expires_at: string;
  decided_at: string;
};

/**
 * The text that a device signs. A wallet builds it from the details that it displays, never from a text that the
 * service sends.
 */
export function decisionStatement(facts: DecisionFacts): string {
  const { decision, connection_id, device_id, facts_digest, context_digest, expires_at, decided_at } = facts;
  return canonicalJson({
    profile: DECISION_PROFILE,
    decision,
    ...('request_id' in facts
      ? { request_id: facts.request_id }
      : { agent_payment_id: facts.agent_payment_id }),
    connection_id,
    device_id,
    facts_digest,
    context_digest,
    expires_at,
    decided_at,
  });
}

/** Of the pinned context as it was posted, without `transaction_id`. */
export function contextDigest(content: Readonly<Record<string, unknown>>): string {
  const { transaction_id: _, ...rest } = content;
  return `sha256:${sha256Hex(canonicalJson(rest))}`;
}
