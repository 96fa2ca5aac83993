import { type Static, Type } from 'typebox';
import { OPERATOR_ROLES, OPERATOR_STATUSES } from '../enumerations.ts';
import { id, oneOf, record, time } from './schema.ts';

/** A person who works for an organization. The audit trail names operators by this id. */
export const OperatorSchema = record('Operator', {
  operator_id: id('acc'),
  email: Type.Unsafe<string>({ type: 'string', minLength: 3, maxLength: 254 }),
  role: oneOf(OPERATOR_ROLES),
  status: oneOf(OPERATOR_STATUSES),
  created_at: time(),
});
export type Operator = Static<typeof OperatorSchema>;
