import { type Static, Type } from 'typebox';
import { OPERATOR_ROLES, OPERATOR_STATUSES } from '../enumerations.ts';
import { id, nullableTime, oneOf, record, text, time } from './schema.ts';

/** A person who works for an organization. The audit trail names operators by this id. */
export const OperatorSchema = record('Operator', {
  operator_id: id('acc'),
  email: Type.Unsafe<string>({ type: 'string', minLength: 3, maxLength: 254 }),
  role: oneOf(OPERATOR_ROLES),
  status: oneOf(OPERATOR_STATUSES),
  created_at: time(),
});
export type Operator = Static<typeof OperatorSchema>;

/** A key of an operator's, in a phone, a computer or a security key. It counts in every organization of the operator. */
export const PasskeySchema = record('Passkey', {
  passkey_id: id('psk'),
  name: text(1, 200),
  /** Kept in step by its maker on several devices. */
  backed_up: Type.Boolean(),
  created_at: time(),
  last_used_at: nullableTime(),
});
export type Passkey = Static<typeof PasskeySchema>;
