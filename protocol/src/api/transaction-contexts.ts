import { TransactionContextSchema } from '../records/payment-request.ts';
import { record, Type } from '../records/schema.ts';
import { CONNECTION_CHOICE, reference } from './members.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Transaction contexts', credential: ['connection'] });

const ContextAnswer = record('ContextAnswer', 'One transaction context.', {
  transaction_context: TransactionContextSchema,
});

export const postTransactionContext = operation('postTransactionContext', 'POST /v1/transaction-contexts', {
  summary: 'Describe the purpose of a payment',
  description:
    'Free-form, for the customer who reviews a request. Posting a known id appends a revision; a request pins the one that was newest when it was created.',
  scope: 'transaction_contexts.create',
  limit: 'create',
  body: Type.Object(
    {
      transaction_id: Type.Optional(
        reference('A known id gets a new revision; a new one is made when absent.'),
      ),
      connection_id: Type.Optional(reference("Must be the token's own.")),
      title: Type.Optional(Type.String({ description: 'A line that names the purchase.' })),
      summary: Type.Optional(Type.String({ description: 'A few sentences for the customer.' })),
      line_items: Type.Optional(Type.Array(Type.Unknown(), { description: 'What is bought.' })),
    },
    {
      title: 'ContextInput',
      description:
        'What the customer should read before approving. It may carry further members, but no payment facts.',
      additionalProperties: true,
    },
  ),
  status: 201,
  answer: ContextAnswer,
  errors: ['risk_rejected', 'connection_paused', 'resource_not_found'],
  example: { title: 'Two coffees', line_items: [{ name: 'Coffee', quantity: 2 }] },
});

export const getTransactionContext = operation(
  'getTransactionContext',
  'GET /v1/transaction-contexts/{transaction_id}',
  {
    summary: 'Read the newest revision of a context',
    description: 'A wallet shows the revision that the request has pinned.',
    credential: ['connection', 'wallet'],
    scope: 'transaction_contexts.read',
    query: record('ContextQuery', 'Selects a context.', {
      connection_id: CONNECTION_CHOICE,
      revision: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'The one that a request has pinned; the newest when absent.',
        }),
      ),
    }),
    answer: ContextAnswer,
    errors: ['ambiguous_request_id'],
  },
);
