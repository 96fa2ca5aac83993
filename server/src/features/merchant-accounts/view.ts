import type { Operator, OperatorRole } from '@payassent/protocol';
import { toTimestamp } from '../../lib/clock.ts';

export interface OperatorFacts {
  accountId: string;
  email: string;
  role: OperatorRole;
  created_at: Date;
  joined_at: Date | null;
}

export function operatorView(operator: OperatorFacts): Operator {
  return {
    operator_id: operator.accountId,
    email: operator.email,
    role: operator.role,
    status: operator.joined_at === null ? 'invited' : 'active',
    created_at: toTimestamp(operator.created_at),
  };
}
