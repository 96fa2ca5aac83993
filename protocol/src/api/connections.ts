import { Type } from 'typebox';
import { ConnectionSchema } from '../records/connect.ts';
import { CLOSED, TokenAnswer } from './members.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const tag = 'Connections';
const ConnectionAnswer = Type.Object({ connection: ConnectionSchema });
const SeenName = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

const ChangeConnection = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<'paused' | 'active'>({ type: 'string', enum: ['paused', 'active'] })),
    seen_names: Type.Optional(
      Type.Object(
        { agent: SeenName, merchant: SeenName },
        {
          ...CLOSED,
          description:
            'The names that the user was shown. One that is still the present one is no longer answered with a former_name.',
        },
      ),
    ),
  },
  CLOSED,
);

export const listConnections = operation({
  id: 'listConnections',
  method: 'GET',
  path: '/v1/connections',
  summary: "List connections: the wallet's, the agent's or the organization's",
  tag,
  credential: ['wallet', 'agent', 'merchant'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  answer: pageOf('connections', ConnectionSchema),
});

export const updateConnection = operation({
  id: 'updateConnection',
  method: 'PATCH',
  path: '/v1/connections/{id}',
  summary: 'Pause a connection, let it go on, or say which names the user has seen',
  description:
    'When agent or merchant is called otherwise than when the user approved, the wallet reads former_name beside the present name until it reports that one as seen.',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: ChangeConnection,
  answer: ConnectionAnswer,
  errors: ['resource_not_found', 'connection_revoked'],
});

export const revokeConnection = operation({
  id: 'revokeConnection',
  method: 'DELETE',
  path: '/v1/connections/{id}',
  summary: 'Revoke a connection for good',
  tag,
  credential: ['wallet', 'merchant'],
  limit: { wallet: 'wallet_mutations', merchant: 'merchant_mutations' },
  answer: ConnectionAnswer,
  errors: ['resource_not_found'],
});

export const rotateConnectionToken = operation({
  id: 'rotateConnectionToken',
  method: 'POST',
  path: '/v1/connections/{id}/rotate-token',
  summary: 'Replace the connection token; the former one is dead at once',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: TokenAnswer,
  errors: ['resource_not_found', 'connection_revoked'],
});

export const collectConnectionToken = operation({
  id: 'collectConnectionToken',
  method: 'POST',
  path: '/v1/connections/{id}/collect-token',
  summary: 'Collect the current token, as long as it has never been used',
  description: 'After a rotation by the wallet, or when the answer to an exchange was lost.',
  tag,
  credential: ['agent'],
  limit: 'reads',
  answer: TokenAnswer,
  errors: ['resource_not_found', 'connection_revoked', 'nothing_to_collect'],
});
