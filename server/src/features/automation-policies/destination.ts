import { type DerivedFacts, deriveFacts, type Issue, SECOND_SURFACE_NETWORK } from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';
import { AppError, invalid, notFound, refuseWhenInvalid } from '../../errors.ts';
import { mainnetRefusal } from '../project-access/mainnet.ts';
import { nativeAssetIssues } from './checks.ts';
import { selectRecipientNow } from './destination-sql.ts';

/** Where a payment goes, with every fact that a wallet needs to sign it. */
export interface Destination {
  recipientId: string | null;
  recipientVersionId: string | null;
  /** A recall of the Recipient ends what was made for an older one. */
  recallGeneration: number;
  facts: Omit<DerivedFacts, 'memo_policy'>;
  /** Whether each payment carries a memo of its own. */
  hasOwnMemos: boolean;
  payee: Record<string, unknown>;
}

/** The fields to blame when network or asset cannot be had there. */
export interface BlamedFields {
  network: string;
  asset: string;
}

export interface DestinationInput {
  asset: string;
  to?: string | undefined;
  recipient_id?: string | undefined;
  fields: BlamedFields;
}

/**
 * Finds the destination, or refuses. Whether a Recipient takes what the caller wants to send is left to
 * `mismatchIssues`: it belongs into one list with whatever else is wrong.
 */
export async function resolveDestination(
  sql: Sql,
  merchantId: string,
  input: DestinationInput,
): Promise<Destination> {
  const { recipient_id: recipientId, to } = input;
  if (recipientId !== undefined) return recipientDestination(sql, merchantId, recipientId);
  return addressDestination(to ?? '', input);
}

/** The facts of a Recipient that can be paid now, and silence about any other. */
export async function peekRecipient(
  sql: Sql,
  merchantId: string,
  recipientId: string,
): Promise<Omit<DerivedFacts, 'memo_policy'> | undefined> {
  const recipient = await selectRecipientNow(sql, merchantId, recipientId);
  return recipient?.status === 'active' && recipient.recipient_version_id !== null ? recipient : undefined;
}

async function recipientDestination(sql: Sql, merchantId: string, recipientId: string): Promise<Destination> {
  const recipient = await selectRecipientNow(sql, merchantId, recipientId);
  if (!recipient) throw notFound();
  const {
    status,
    recipient_version_id: recipientVersionId,
    name,
    domain,
    evidence_digest,
    binding,
    activated_at: activatedAt,
    recall_generation: recallGeneration,
    memo_policy: memoPolicy,
    ...facts
  } = recipient;
  if (status !== 'active' || recipientVersionId === null)
    throw new AppError('recipient_not_active', { details: { status, recipient_id: recipientId } });
  if (facts.network !== SECOND_SURFACE_NETWORK) throw mainnetRefusal('recipient_id');
  const payee = {
    name,
    verified: true,
    domain,
    recipient_id: recipientId,
    recipient_version_id: recipientVersionId,
    evidence_digest,
    binding,
    activated_at: activatedAt.toISOString(),
  };
  const hasOwnMemos = memoPolicy === 'request';
  return { recipientId, recipientVersionId, recallGeneration, facts, hasOwnMemos, payee };
}

/** What the caller says of the payment and the Recipient does not take; what the caller leaves out agrees. */
export function mismatchIssues(
  facts: Pick<DerivedFacts, 'network' | 'asset'>,
  said: { network?: unknown; asset?: unknown },
  fields: BlamedFields,
): Issue[] {
  return (['network', 'asset'] as const)
    .filter((name) => said[name] !== undefined && said[name] !== facts[name])
    .map((name) => ({
      field: fields[name],
      code: 'fact_mismatch' as const,
      message: `The Recipient takes ${facts[name]}, not ${said[name]}.`,
    }));
}

/** Nobody vouches for a plain address: the wallet shows it as it is. */
function addressDestination(to: string, input: DestinationInput): Destination {
  refuseWhenInvalid(nativeAssetIssues(input.asset, input.fields.asset));
  const derived = deriveFacts({ network: SECOND_SURFACE_NETWORK, asset: input.asset, address: to });
  if (!derived.ok)
    throw invalid(
      derived.issues.map((issue) => (issue.field === 'address' ? { ...issue, field: 'to' } : issue)),
    );
  const payee = { name: derived.facts.address, verified: false };
  const named = { recipientId: null, recipientVersionId: null, recallGeneration: 0 };
  return { ...named, facts: derived.facts, hasOwnMemos: false, payee };
}
