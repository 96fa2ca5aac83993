import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { FIXED_CAPS } from '../../limits.ts';
import { createMerchant } from '../merchants/merchant.ts';
import { issueNextGrant, spendSessionGrant } from './grants.ts';
import { insertOperator, listWorkspaces } from './sql.ts';

const MAX_ORGANIZATIONS = FIXED_CAPS.organizations.count;

/** Spends the session grant on a new organization, whose first operator is the grant's account. */
export async function foundOrganization(tx: Tx, act: Act, input: { session_grant: string; name: string }) {
  const { accountId, signedInBy, passkeyEffectiveAt } = await spendSessionGrant(tx, act, input.session_grant);
  const workspaces = await listWorkspaces(tx, accountId);
  if (workspaces.length >= MAX_ORGANIZATIONS)
    throw new AppError('limit_reached', {
      message: `One operator may found ${MAX_ORGANIZATIONS} organizations at most.`,
    });
  const merchant = await createMerchant(tx, act, { accountId }, { name: input.name });
  await insertOperator(tx, merchant.merchant_id, accountId, act.now);
  return {
    merchant,
    nextGrant: await issueNextGrant(
      tx,
      act,
      { accountId, signedInBy, passkeyEffectiveAt },
      merchant.merchant_id,
    ),
  };
}
