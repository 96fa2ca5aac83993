import {
  allowAddresses,
  checkFreeForm,
  type DerivedFacts,
  findForeignAddresses,
  type Issue,
} from '@countersign/protocol';
import { momentIssues } from '../agents/moment.ts';
import {
  addressIssues,
  amountIssues,
  destinationIssues,
  nativeAssetIssues,
} from '../automation-policies/checks.ts';
import type { PaymentInput, StatusInput } from './schema.ts';

/** What to blame when a Recipient does not take it. */
export const FACT_FIELDS = { network: 'network', asset: 'asset' } as const;
const FREE_FORM_RULES = { maxBytes: 8192, maxDepth: 8 } as const;

/** Everything that the body alone shows to be wrong. */
export function checkPaymentInput(body: Partial<PaymentInput>): Issue[] {
  const goesToAddress = body.to !== undefined && body.recipient_id === undefined;
  return [
    ...amountIssues(body.amount, 'amount'),
    ...destinationIssues(body),
    ...addressIssues(body.to, 'to'),
    ...(goesToAddress && body.asset !== undefined ? nativeAssetIssues(body.asset, 'asset') : []),
    ...momentIssues(body.expires_at, 'expires_at'),
    ...(body.metadata === undefined ? [] : checkFreeForm(body.metadata, 'metadata', FREE_FORM_RULES)),
  ];
}

/** Addresses in the caller's notes that are not the payee's: a person could take one of them for it. */
export function foreignAddressIssues(
  metadata: unknown,
  facts: Pick<DerivedFacts, 'address'> & Partial<Pick<DerivedFacts, 'issuer' | 'contract'>>,
): Issue[] {
  if (metadata === undefined) return [];
  const own = [facts.address, facts.issuer, facts.contract].filter((text) => typeof text === 'string');
  return findForeignAddresses(metadata, 'metadata', allowAddresses(own));
}

/** A reason is given for an end that the user or the network chose, and for nothing else. */
export function reasonIssues(body: Partial<StatusInput>): Issue[] {
  if (body.status === undefined || body.status === 'rejected' || body.status === 'failed') return [];
  return (['reason_code', 'reason'] as const)
    .filter((field) => body[field] !== undefined)
    .map((field) => ({
      field,
      code: 'unknown_field' as const,
      message: `${field} can only be sent with rejected and failed.`,
    }));
}
