import { Type } from 'typebox';
import { TransactionContextSchema } from '../records/payment-request.ts';
import { CONNECTION_CHOICE, reference } from './members.ts';
import { operation } from './operation.ts';

const tag = 'Transaction contexts';
const answer = Type.Object({ transaction_context: TransactionContextSchema });

/** Free-form besides these members. */
const ContextInput = Type.Object(
  {
    transaction_id: Type.Optional(
      reference('A known id gets a new revision; a new one is made when absent.'),
    ),
    connection_id: Type.Optional(reference("Must be the token's own.")),
    title: Type.Optional(Type.String()),
    summary: Type.Optional(Type.String()),
    line_items: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: true },
);

export const postTransactionContext = operation({
  id: 'postTransactionContext',
  method: 'POST',
  path: '/v1/transaction-contexts',
  summary: 'Say in words what a payment is for',
  description:
    'Free-form, for the user who reviews a request. Posting a known id appends a revision; a request pins the one that was newest when it was created.',
  tag,
  credential: ['connection'],
  scope: 'transaction_contexts.create',
  limit: 'create',
  body: ContextInput,
  status: 201,
  answer,
  errors: ['risk_rejected', 'connection_paused', 'resource_not_found'],
});

export const getTransactionContext = operation({
  id: 'getTransactionContext',
  method: 'GET',
  path: '/v1/transaction-contexts/{transaction_id}',
  summary: 'Read the newest revision of a context',
  tag,
  credential: ['connection', 'wallet'],
  scope: 'transaction_contexts.read',
  limit: 'reads',
  query: Type.Object({
    connection_id: CONNECTION_CHOICE,
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The one that a request has pinned.',
      }),
    ),
  }),
  answer,
  errors: ['resource_not_found', 'ambiguous_request_id'],
});
