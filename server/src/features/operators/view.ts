import type { Operator } from '@payassent/protocol/records';
import { operatorView as viewOf } from '../merchant-accounts/view.ts';
import type { OperatorRow } from './operators.ts';

export function operatorView({ account_id, ...row }: OperatorRow): Operator {
  return viewOf({ accountId: account_id, ...row });
}
