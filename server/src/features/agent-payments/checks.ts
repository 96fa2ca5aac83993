import {
  allowAddresses,
  checkFreeForm,
  type DerivedFacts,
  findForeignAddresses,
  type Issue,
} from '@payassent/protocol';
import { momentIssues } from '../agents/text.ts';
import {
  addressIssues,
  amountIssues,
  destinationIssues,
  nativeAssetIssues,
} from '../automation-policies/checks.ts';
import type { PaymentInput } from './schema.ts';

/** The field to blame for a mismatch with the payee. */
export const FACT_FIELDS = { network: 'network', asset: 'asset' } as const;
const FREE_FORM_RULES = { maxBytes: 8192, maxDepth: 8 } as const;

/** All issues that the body alone shows. */
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

/** Addresses in the caller's notes and in its key that are not the payee's: a person could mistake one for it. */
export function foreignAddressIssues(
  metadata: unknown,
  key: string | undefined,
  facts: Pick<DerivedFacts, 'address'> & Partial<Pick<DerivedFacts, 'issuer' | 'contract'>>,
): Issue[] {
  const texts = [facts.address, facts.issuer, facts.contract].filter((text) => typeof text === 'string');
  const own = allowAddresses(texts);
  return [
    ...findForeignAddresses(metadata, 'metadata', own),
    ...findForeignAddresses(key, 'idempotency_key', own),
  ];
}
