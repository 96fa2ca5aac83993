import type { OperatorRole } from '@payassent/protocol';
import { hasRole } from '@payassent/protocol/api';
import type { Tx } from '../db/open.ts';
import { AppError } from '../errors.ts';
import type { OperatorPrincipal } from './principals.ts';

function insufficientRole(needed: OperatorRole): AppError {
  return new AppError('insufficient_role', {
    message: `This call needs the role ${needed} in this organization.`,
    details: { required_role: needed },
  });
}

export function refuseByRole(principal: OperatorPrincipal, needed: OperatorRole): void {
  if (!hasRole(principal.role, needed)) throw insufficientRole(needed);
}

/**
 * The last step of a change: the operator still has the role, and keeps it until the commit. Anyone who takes the role away
 * at the same moment either waits for the change or undoes it. It comes last, so that nothing is waited for while the
 * row is held.
 */
export async function holdRole(tx: Tx, principal: OperatorPrincipal, needed: OperatorRole): Promise<void> {
  const [row] = await tx<{ role: OperatorRole }[]>`
    select role from merchant_operators
    where merchant_id = ${principal.merchantId} and account_id = ${principal.accountId} for share`;
  if (!row) throw new AppError('token_revoked');
  if (!hasRole(row.role, needed)) throw insufficientRole(needed);
}
