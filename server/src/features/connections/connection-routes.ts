import { ConnectionSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import type { AgentPrincipal, MerchantPrincipal, WalletPrincipal } from '../../http/principals.ts';
import { defineRoute } from '../../http/route.ts';
import { auditActor } from '../audit/record.ts';
import { type ConnectionOwner, listConnections } from './connection-sql.ts';
import { changeConnection } from './pause-connection.ts';
import { revokeConnection, settleRevokedSoon } from './revocation.ts';
import { ChangeConnection, connectionChangeIssues, NEXT_CURSOR } from './schema.ts';
import { collectToken, rotateToken } from './tokens.ts';
import { connectionView, walletConnectionView } from './view.ts';

const tag = 'Connections';
const ConnectionAnswer = Type.Object({ connection: ConnectionSchema });
const TokenAnswer = Type.Object({ connection: ConnectionSchema, connection_token: Type.String() });

function ownerOf(principal: WalletPrincipal | AgentPrincipal | MerchantPrincipal): ConnectionOwner {
  switch (principal.kind) {
    case 'wallet':
      return { kind: 'wallet', walletId: principal.walletId };
    case 'agent':
      return { kind: 'agent', merchantId: principal.merchantId, agentId: principal.agentId };
    case 'merchant':
      return { kind: 'merchant', merchantId: principal.merchantId };
  }
}

export const connectionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/connections',
    summary: "List connections: the wallet's, the agent's or the organization's",
    tag,
    credential: ['wallet', 'agent', 'merchant'],
    limit: 'reads',
    query: Type.Object({ ...PAGE_QUERY }),
    answer: Type.Object({ connections: Type.Array(ConnectionSchema), ...NEXT_CURSOR }),
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listConnections(context.db, ownerOf(principal), after, query.limit + 1);
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.connection_id }));
      const view = principal.kind === 'wallet' ? walletConnectionView : connectionView;
      return { connections: page.items.map(view), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/connections/{id}',
    summary: 'Pause a connection, let it go on, or say which names the user has seen',
    description:
      'When agent or merchant is called otherwise than when the user approved, the wallet reads former_name beside the present name until it reports that one as seen.',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    body: ChangeConnection,
    check: connectionChangeIssues,
    answer: ConnectionAnswer,
    errors: ['resource_not_found', 'connection_revoked'],
    async run({ context, act, principal, params, body }) {
      const row = await transaction(context.db, (tx) =>
        changeConnection(tx, act, principal, params['id'] ?? '', body),
      );
      return { connection: walletConnectionView(row) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/connections/{id}',
    summary: 'Revoke a connection for good',
    tag,
    credential: ['wallet', 'merchant'],
    limit: { wallet: 'wallet_mutations', merchant: 'merchant_mutations' },
    answer: ConnectionAnswer,
    errors: ['resource_not_found'],
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        revokeConnection(tx, act, auditActor(principal), ownerOf(principal), params['id'] ?? ''),
      );
      await settleRevokedSoon(context.db, act, row.connection_id);
      return { connection: connectionView(row) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/connections/{id}/rotate-token',
    summary: 'Replace the connection token; the former one is dead at once',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    answer: TokenAnswer,
    errors: ['resource_not_found', 'connection_revoked'],
    async run({ context, act, principal, params }) {
      const rotated = await transaction(context.db, (tx) =>
        rotateToken(tx, act, context.keys, principal, params['id'] ?? ''),
      );
      return { connection: walletConnectionView(rotated.connection), connection_token: rotated.token };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/connections/{id}/collect-token',
    summary: 'Collect the current token, as long as it has never been used',
    description: 'After a rotation by the wallet, or when the answer to an exchange was lost.',
    tag,
    credential: ['agent'],
    limit: 'reads',
    answer: TokenAnswer,
    errors: ['resource_not_found', 'connection_revoked', 'nothing_to_collect'],
    async run({ context, act, principal, params }) {
      const collected = await transaction(context.db, (tx) =>
        collectToken(tx, act, context.keys, principal, params['id'] ?? ''),
      );
      return { connection: connectionView(collected.connection), connection_token: collected.token };
    },
  }),
];
