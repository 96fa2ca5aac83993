import type { Static } from 'typebox';
import { APPROVAL_ACTS, APPROVAL_STATUSES, OPERATOR_ROLES, OPERATOR_STATUSES } from '../enumerations.ts';
import {
  flag,
  freeObject,
  id,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  record,
  Type,
  text,
  time,
} from './schema.ts';

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

export const TeamMemberSchema = record('TeamMember', 'An operator as the list of the team shows one.', {
  ...OperatorSchema.properties,
  pending_passkeys: Type.Array(
    record('PendingPasskey', 'A passkey that is not effective yet.', {
      passkey_id: id('psk', 'The passkey.'),
      name: text('What the operator calls it.', 200),
      created_at: time('When it was registered.'),
      effective_at: time('When it becomes effective, unless another owner confirms it before.'),
    }),
    { description: 'First passkeys that are not effective yet: another owner can confirm them.' },
  ),
});
export type TeamMember = Static<typeof TeamMemberSchema>;

export const PasskeySchema = record(
  'Passkey',
  "An operator's key in a phone, a computer or a security key. It counts in every organization of the operator.",
  {
    passkey_id: id('psk', 'The passkey.'),
    name: text('What the operator calls it.', 200),
    backed_up: flag('Whether its maker keeps it in step on several devices.'),
    created_at: time('When it was registered.'),
    effective_at: time(
      'From when on calls that matter need it. Before, it steps nothing up and nothing needs it; an owner can cancel it.',
    ),
    last_used_at: nullableTime('When it was last used; null before.'),
  },
);
export type Passkey = Static<typeof PasskeySchema>;

export const ApprovalSchema = record(
  'Approval',
  'A change that one owner requested and that another one carries out or rejects.',
  {
    approval_id: id('apr', 'The approval.'),
    act: oneOf(APPROVAL_ACTS, 'What would be carried out.'),
    target: record('ApprovalTarget', 'What would be changed.', {
      type: oneOf(['recipient', 'operator', 'merchant', 'domain'], 'What kind of record.'),
      id: text('Its id; of an operator who is not there yet, the address.'),
    }),
    details: freeObject(
      'What exactly would be carried out: for a payee its address, for an operator the role.',
    ),
    status: oneOf(APPROVAL_STATUSES, 'Only a pending one can be decided.'),
    requested_by: id('acc', 'The owner who requested it.'),
    requested_by_email: text('The address of that owner.'),
    decided_by: nullableId('acc', 'The owner who decided; null before.'),
    decided_by_email: nullableText('The address of that owner.'),
    decided_at: nullableTime('When it was decided; null before.'),
    created_at: time('When it was requested.'),
    expires_at: time('When it can no longer be decided.'),
  },
);
export type Approval = Static<typeof ApprovalSchema>;
