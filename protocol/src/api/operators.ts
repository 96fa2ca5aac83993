import { Type } from 'typebox';
import { OPERATOR_ROLES } from '../enumerations.ts';
import { ApiKeySchema } from '../records/agent-payment.ts';
import { OperatorSchema } from '../records/operator.ts';
import { oneOf } from '../records/schema.ts';
import { CLOSED } from './members.ts';
import { operation } from './operation.ts';

const tag = 'Operators';

const role = oneOf(OPERATOR_ROLES);
const OperatorAnswer = Type.Object({ operator: OperatorSchema });

export const inviteOperator = operation({
  id: 'inviteOperator',
  method: 'POST',
  path: '/v1/merchant-operators',
  summary: 'Invite a person by mail',
  description:
    'The mail has an ordinary sign-in link; the first sign-in to the organization makes the operator active. The same address with the same role again answers 200, and sends another link while the operator is still invited.',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: Type.Object(
    {
      email: Type.String({ maxLength: 254, format: 'email', description: 'Compared in lower case.' }),
      role,
    },
    CLOSED,
  ),
  status: 201,
  statusWhenKnown: 200,
  answer: OperatorAnswer,
  errors: ['status_conflict', 'limit_reached'],
});

export const listOperators = operation({
  id: 'listOperators',
  method: 'GET',
  path: '/v1/merchant-operators',
  summary: 'List the people who work for this organization, newest first',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: Type.Object({ operators: Type.Array(OperatorSchema) }),
});

export const changeOperator = operation({
  id: 'changeOperator',
  method: 'PATCH',
  path: '/v1/merchant-operators/{id}',
  summary: 'Give an operator another role',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: Type.Object({ role }, CLOSED),
  answer: OperatorAnswer,
  errors: ['resource_not_found', 'last_owner'],
});

export const removeOperator = operation({
  id: 'removeOperator',
  method: 'DELETE',
  path: '/v1/merchant-operators/{id}',
  summary: 'Remove an operator from this organization',
  description:
    'Ends the sessions and admin sessions of the operator in this organization. API keys that the operator made keep working, because agents may depend on them: `api_keys` lists those that are still active, to be revoked or kept.',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  answer: Type.Object({ operator: OperatorSchema, api_keys: Type.Array(ApiKeySchema) }),
  errors: ['resource_not_found', 'last_owner'],
});
