import { type Static, Type } from 'typebox';
import { OPERATOR_ROLES, OPERATOR_STATUSES } from '../enumerations.ts';
import { flag, id, nullableTime, oneOf, record, text, time } from './schema.ts';

export const OperatorSchema = record(
  'Operator',
  'A person who works for an organization. The audit trail names operators by this id.',
  {
    operator_id: id('acc', 'The operator.'),
    email: Type.Unsafe<string>({
      type: 'string',
      minLength: 3,
      maxLength: 254,
      description: 'Where sign-in links are sent.',
    }),
    role: oneOf(OPERATOR_ROLES, 'What the operator may do.'),
    status: oneOf(OPERATOR_STATUSES, '`active` since the first sign-in to the organization.'),
    created_at: time('When the operator was invited.'),
  },
);
export type Operator = Static<typeof OperatorSchema>;

export const PasskeySchema = record(
  'Passkey',
  "An operator's key in a phone, a computer or a security key. It counts in every organization of the operator.",
  {
    passkey_id: id('psk', 'The passkey.'),
    name: text('What the operator calls it.', 200),
    backed_up: flag('Whether its maker keeps it in step on several devices.'),
    created_at: time('When it was registered.'),
    last_used_at: nullableTime('When it was last used; null before.'),
  },
);
export type Passkey = Static<typeof PasskeySchema>;
