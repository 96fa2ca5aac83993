import { OPERATOR_ROLES } from '../enumerations.ts';
import { ApiKeySchema } from '../records/agent-payment.ts';
import { OperatorSchema, TeamMemberSchema } from '../records/operator.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { input } from './members.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Operators', credential: ['merchant'] });

const role = oneOf(OPERATOR_ROLES, 'What the operator may do.');
const OperatorAnswer = record('OperatorAnswer', 'One operator.', { operator: OperatorSchema });

export const inviteOperator = operation('inviteOperator', 'POST /v1/merchant-operators', {
  sdk: 'MerchantOperators.invite',
  summary: 'Invite a person by mail',
  description:
    'The mail has an ordinary sign-in link; the first sign-in makes the operator active. Repeating the call returns 200, and sends another link while the invitation is still open. A merchant may send 20 invitations a day until one is accepted, then 100.',
  lateLimits: ['first_invitations', 'invitations'],
  body: input('OperatorInput', 'A person to invite.', {
    email: Type.String({ maxLength: 254, format: 'email', description: 'Compared in lower case.' }),
    role,
  }),
  status: 201,
  statusWhenKnown: 200,
  answer: OperatorAnswer,
  errors: ['invalid_status_transition', 'limit_reached'],
  example: { email: 'colleague@shop.example', role: 'developer' },
});

export const listOperators = operation('listOperators', 'GET /v1/merchant-operators', {
  sdk: 'MerchantOperators.list',
  summary: 'List the people who work for this organization, newest first',
  description: 'Those who were invited and have not signed in yet are listed too.',
  answer: record('OperatorList', 'All operators of the organization.', {
    operators: Type.Array(TeamMemberSchema, { description: 'Newest first.' }),
  }),
});

export const changeOperator = operation('changeOperator', 'PATCH /v1/merchant-operators/{id}', {
  sdk: 'MerchantOperators.changeRole',
  summary: 'Give an operator another role',
  description: 'It counts from the next call of the operator on. The last owner keeps the role.',
  body: input('OperatorChange', 'Another role for an operator.', { role }),
  answer: OperatorAnswer,
  errors: ['last_owner'],
  example: { role: 'viewer' },
});

export const removeOperator = operation('removeOperator', 'DELETE /v1/merchant-operators/{id}', {
  sdk: 'MerchantOperators.remove',
  summary: 'Remove an operator from this organization',
  description:
    'Ends the sessions and admin sessions of the operator in this organization. API keys that the operator made keep working: `api_keys` lists them, to be revoked or kept.',
  answer: record('RemovedOperator', 'An operator who was removed.', {
    operator: OperatorSchema,
    api_keys: Type.Array(ApiKeySchema, {
      description: 'Keys that the operator made and that still work: revoke them or keep them.',
    }),
  }),
  errors: ['last_owner'],
});
