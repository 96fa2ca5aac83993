import type { Operator, TeamMember } from '@payassent/protocol/records';
import { toTimestamp } from '../../lib/clock.ts';
import { operatorView as viewOf } from '../merchant-accounts/view.ts';
import type { OperatorRow, PendingPasskeyRow } from './operators.ts';

export function operatorView({ account_id, ...row }: OperatorRow): Operator {
  return viewOf({ accountId: account_id, ...row });
}

export function teamMemberView(row: OperatorRow, pending: readonly PendingPasskeyRow[]): TeamMember {
  return {
    ...operatorView(row),
    pending_passkeys: pending
      .filter((passkey) => passkey.account_id === row.account_id)
      .map((passkey) => ({
        passkey_id: passkey.passkey_id,
        name: passkey.name,
        created_at: toTimestamp(passkey.created_at),
        effective_at: toTimestamp(passkey.effective_at),
      })),
  };
}
