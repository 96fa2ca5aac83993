import { canonicalJson } from '@payassent/protocol';
import { type ClearEntryType, type CommittedEntryType, isLogDomain } from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';

interface PayeeEntry {
  /** The payee's evidence; bundles find the entry by it. */
  evidenceId: string;
  domain: string;
  evidenceDigest: string;
}

/**
 * Publishes an act on a payee, for the owner of its domain and for every other reader, in the transaction of the act. A
 * domain in a spelling that verifiers reject aborts the transaction.
 */
export async function logPayees(tx: Tx, act: Act, type: ClearEntryType, payees: readonly PayeeEntry[]) {
  for (const { domain } of payees)
    if (!isLogDomain(domain)) throw new Error(`${JSON.stringify(domain)} cannot be written into the log.`);
  await append(
    tx,
    act,
    type,
    payees.map(({ evidenceId, domain, evidenceDigest }) => ({
      subject: evidenceId,
      content: { domain, evidence_digest: evidenceDigest },
    })),
  );
}

/** A key with which a device signs from now on. Its device is known only to those who get a bundle that it signed. */
export async function logDecisionKey(
  tx: Tx,
  act: Act,
  key: {
    decision_key_id: number;
    device_id: string;
    key: unknown;
    thumbprint: string;
    endorsed_by: string | null;
    created_at: Date;
  },
): Promise<void> {
  const { device_id, thumbprint, endorsed_by } = key;
  const content = {
    device_id,
    key: key.key,
    thumbprint,
    endorsed_by,
    created_at: key.created_at.toISOString(),
  };
  await append(tx, act, 'decision_key', [{ subject: decisionKeySubject(key.decision_key_id), content }]);
}

export async function logAgentPayments(
  tx: Tx,
  act: Act,
  type: 'decision' | 'final',
  entries: readonly { paymentId: string; content: unknown }[],
): Promise<void> {
  await append(
    tx,
    act,
    type,
    entries.map(({ paymentId, content }) => ({ subject: agentPaymentSubject(paymentId), content })),
  );
}

/** The subject by which a bundle finds its entries. */
export function decisionKeySubject(decisionKeyId: number): string {
  return `key ${decisionKeyId}`;
}

export function requestSubject(connectionId: string, requestId: string): string {
  return `request ${connectionId} ${requestId}`;
}

export function agentPaymentSubject(agentPaymentId: string): string {
  return `agent_payment ${agentPaymentId}`;
}

async function append(
  tx: Tx,
  act: Act,
  type: ClearEntryType | CommittedEntryType,
  entries: readonly { subject: string; content: unknown }[],
): Promise<void> {
  if (entries.length === 0) return;
  const subjects = entries.map(({ subject }) => subject);
  const contents = entries.map(({ content }) => canonicalJson(content));
  await tx`select append_to_log(${type}, ${act.now}, ${subjects}::text[], ${contents}::text[])`;
}
