import { type DerivedFacts, deriveFacts, type Issue, SECOND_SURFACE_NETWORK } from '@countersign/protocol';
import type { Sql } from '../../db/open.ts';
import { AppError, invalid, notFound, refuseWhenInvalid } from '../../errors.ts';
import { mainnetRefusal } from '../project-access/mainnet.ts';
import { nativeAssetIssues } from './checks.ts';
import { selectRecipientNow } from './destination-sql.ts';

/** Where a payment goes, with every fact that a wallet needs to sign it. */
export interface Destination {
  recipientId: string | null;
  recipientVersionId: string | null;
  facts: DerivedFacts;
  payee: Record<string, unknown>;
}

export interface DestinationInput {
  network: string;
  asset: string;
  to?: string | undefined;
  recipient_id?: string | undefined;
  /** The fields to blame when network or asset cannot be had there. */
  fields: { network: string; asset: string };
}

export async function resolveDestination(
  sql: Sql,
  merchantId: string,
  input: DestinationInput,
): Promise<Destination> {
  const { recipient_id: recipientId, to } = input;
  if (recipientId !== undefined) return recipientDestination(sql, merchantId, recipientId, input);
  return addressDestination(to ?? '', input);
}

/** The facts of a Recipient that can be paid now, and silence about any other. */
export async function peekRecipient(
  sql: Sql,
  merchantId: string,
  recipientId: string,
): Promise<DerivedFacts | undefined> {
  const recipient = await selectRecipientNow(sql, merchantId, recipientId);
  return recipient?.status === 'active' && recipient.recipient_version_id !== null ? recipient : undefined;
}

async function recipientDestination(
  sql: Sql,
  merchantId: string,
  recipientId: string,
  input: DestinationInput,
): Promise<Destination> {
  const recipient = await selectRecipientNow(sql, merchantId, recipientId);
  if (!recipient) throw notFound();
  const {
    status,
    recipient_version_id: recipientVersionId,
    name,
    domain,
    evidence_digest,
    ...facts
  } = recipient;
  if (status !== 'active' || recipientVersionId === null)
    throw new AppError('recipient_not_active', { details: { status, recipient_id: recipientId } });
  if (facts.network !== SECOND_SURFACE_NETWORK) throw mainnetRefusal('recipient_id');
  refuseWhenInvalid([
    ...mismatch(input.fields.network, input.network, facts.network),
    ...mismatch(input.fields.asset, input.asset, facts.asset),
  ]);
  const payee = {
    name,
    verified: true,
    domain,
    recipient_id: recipientId,
    recipient_version_id: recipientVersionId,
    evidence_digest,
  };
  return { recipientId, recipientVersionId, facts, payee };
}

function mismatch(field: string, sent: string, known: string): Issue[] {
  if (sent === known) return [];
  const message = `The Recipient takes ${known}, not ${sent}.`;
  return [{ field, code: 'fact_mismatch', message }];
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
  return { recipientId: null, recipientVersionId: null, facts: derived.facts, payee };
}
