import { NETWORKS } from '../enumerations.ts';
import { PayeeSchema } from '../records/payee.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Payees', credential: ['connection'] });

export const listPayees = operation('listPayees', 'GET /v1/payees', {
  sdk: 'ConnectionPayees.list',
  summary: 'List the payees that the agent may request payments to',
  description:
    "Every Recipient of the connection's merchant that has an active version on an enabled network, by name. A create names one by its recipient_id. A token that a wallet has seen (rotation, pairing) is refused with insufficient_scope: collect the agent's own first.",
  scope: 'payment.requests.create',
  needsOwnToken: true,
  query: record('PayeeQuery', 'Which payees.', {
    ...PAGE_QUERY,
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the name or of the domain; upper and lower case are the same.',
      }),
    ),
    network: Type.Optional(oneOf(NETWORKS, 'Only on this network.')),
    asset: Type.Optional(Type.String({ maxLength: 64, description: 'Only in this asset.' })),
  }),
  answer: pageOf('PayeesPage', 'payees', PayeeSchema, 'By name.'),
});

export const getPayee = operation('getPayee', 'GET /v1/payees/{recipient_id}', {
  sdk: 'ConnectionPayees.get',
  summary: 'Read one payee',
  description:
    'A payee that is not active now, or that belongs to another merchant, is absent. A token that a wallet has seen is refused, as in the list.',
  scope: 'payment.requests.create',
  needsOwnToken: true,
  answer: record('PayeeAnswer', 'One payee.', { payee: PayeeSchema }),
});
