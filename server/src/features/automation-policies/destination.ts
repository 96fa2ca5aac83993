import {
  type DerivedFacts,
  deriveFacts,
  type Issue,
  type MemoPolicy,
  type PayeeBinding,
  type RecipientStatus,
  SECOND_SURFACE_NETWORK,
} from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';
import { AppError, invalid, notFound, refuseWhenInvalid } from '../../errors.ts';
import { mainnetRefusal } from '../project-access/mainnet.ts';
import { nativeAssetIssues } from './checks.ts';

/** Where a payment goes, with every detail that a wallet needs to sign it. */
export interface Destination {
  recipientId: string | null;
  recipientVersionId: string | null;
  /** A recall of the payee ends payments made under an older generation. */
  recallGeneration: number;
  facts: Omit<DerivedFacts, 'memo_policy'>;
  /** Whether each payment carries a unique memo. */
  hasOwnMemos: boolean;
  payee: Record<string, unknown>;
}

/** The fields to blame when the network or asset is not available there. */
interface BlamedFields {
  network: string;
  asset: string;
}

interface DestinationInput {
  asset: string;
  to?: string | undefined;
  recipient_id?: string | undefined;
  fields: BlamedFields;
}

/**
 * Finds the destination, or throws. Whether a payee accepts the caller's details is left to `mismatchIssues`: it
 * belongs in one list with all other issues.
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

/** The details of a payee that can be paid now; undefined for any other. */
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

/** Where the caller's details of the payment contradict the payee; details that the caller leaves out agree. */
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

/** A plain address has no payee proof: the wallet shows it as it is. */
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

interface ActiveRecipient extends Omit<DerivedFacts, 'memo_policy'> {
  memo_policy: MemoPolicy;
  status: RecipientStatus;
  /** Null while no version is active; then the details are null too. */
  recipient_version_id: string | null;
  name: string;
  domain: string;
  evidence_digest: string;
  binding: PayeeBinding;
  activated_at: Date;
  recall_generation: number;
}

async function selectRecipientNow(sql: Sql, merchantId: string, recipientId: string) {
  const [row] = await sql<ActiveRecipient[]>`
    select r.status, r.recall_generation, v.recipient_version_id, v.name, v.rail, v.network, v.asset, v.address, v.memo, v.memo_policy, v.contract, v.issuer,
           v.decimals, v.chain_id, v.activated_at, e.domain, e.evidence_digest, e.binding
    from recipients r
      left join recipient_versions v on v.recipient_version_id = r.active_version_id
      left join recipient_evidence e on e.evidence_id = v.evidence_id
    where r.recipient_id = ${recipientId} and r.merchant_id = ${merchantId}`;
  return row;
}
