import { ConnectionSchema, CurrentConnectionSchema } from '../records/connect.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { CLOSED, input, name, TokenAnswer } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, pageOf } from './pages.ts';

const operation = operations({ tag: 'Connections', credential: ['wallet'] });

const ConnectionAnswer = record('ConnectionAnswer', 'One connection.', { connection: ConnectionSchema });
const seenName = (description: string) => Type.Optional(name(description));

export const listConnections = operation('listConnections', 'GET /v1/connections', {
  sdk: ['MerchantConnections.list', 'WalletConnections.list', 'AgentConnections.list'],
  summary: "List connections: the wallet's, the agent's or the organization's",
  description: 'Newest first. Connections that were revoked are listed too.',
  credential: ['wallet', 'agent', 'merchant'],
  query: PAGE,
  answer: pageOf('ConnectionsPage', 'connections', ConnectionSchema),
});

export const updateConnection = operation('updateConnection', 'PATCH /v1/connections/{id}', {
  summary: 'Pause or resume a connection, or report which names the customer has seen',
  description:
    'When agent or merchant has another name than at the approval, the wallet reads former_name with the name until it reports that as seen.',
  body: input('ConnectionChange', 'A change of a connection by the wallet.', {
    status: Type.Optional(oneOf(['paused', 'active'], 'Pauses or resumes the connection.')),
    seen_names: Type.Optional(
      Type.Object(
        { agent: seenName('The name of the agent.'), merchant: seenName('The name of the merchant.') },
        {
          ...CLOSED,
          description:
            'The names that the customer was shown. When one of them is still the present name, the connection no longer carries its former_name.',
        },
      ),
    ),
  }),
  answer: ConnectionAnswer,
  errors: ['connection_revoked'],
  example: { status: 'paused' },
});

export const revokeConnection = operation('revokeConnection', 'DELETE /v1/connections/{id}', {
  sdk: ['MerchantConnections.revoke', 'WalletConnections.revoke'],
  summary: 'Revoke a connection for good',
  description: 'Final. The token is refused from then on, and pending requests are rejected.',
  credential: ['wallet', 'merchant'],
  answer: ConnectionAnswer,
});

export const getCurrentConnection = operation('getCurrentConnection', 'GET /v1/connections/current', {
  summary: 'Read the calling connection, as its agent',
  description: 'The connection, what it allows at this moment, and when the wallet last called.',
  credential: ['connection'],
  answer: CurrentConnectionSchema,
});

export const disconnect = operation('disconnect', 'DELETE /v1/connections/current', {
  summary: 'Let the agent end its own connection',
  description: 'Final. The token is refused from then on, and pending requests are rejected.',
  credential: ['connection'],
  limit: 'reads',
  answer: ConnectionAnswer,
});

export const rotateConnectionToken = operation(
  'rotateConnectionToken',
  'POST /v1/connections/{id}/rotate-token',
  {
    sdk: 'WalletConnections.rotateToken',
    summary: 'Replace the connection token; the previous one ends immediately',
    description:
      'The agent is refused with token_rotated and collects its own token, which ends the one that the wallet has seen.',
    answer: TokenAnswer,
    errors: ['connection_revoked'],
  },
);

export const collectConnectionToken = operation(
  'collectConnectionToken',
  'POST /v1/connections/{id}/collect-token',
  {
    summary: "Collect the agent's own token",
    description:
      'The same token each time until the next rotation, used or not. A token that a wallet has seen (rotation, pairing) is replaced: it is refused with token_rotated from then on, and an open pairing session is completed. Collect after every exchange, pairing and rotation.',
    credential: ['agent'],
    limit: 'reads',
    answer: TokenAnswer,
    errors: ['connection_revoked'],
  },
);
