import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import type { AgentPrincipal, MerchantPrincipal, WalletPrincipal } from '../../http/principals.ts';
import { implement } from '../../http/route.ts';
import { auditActor } from '../audit/record.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import { type ConnectionOwner, listConnections } from './connection-sql.ts';
import { readCurrentConnection } from './current.ts';
import { changeConnection } from './pause-connection.ts';
import { revokeConnection, settleRevokedSoon } from './revocation.ts';
import { connectionChangeIssues } from './schema.ts';
import { collectToken, rotateToken } from './tokens.ts';
import { connectionView, walletConnectionView } from './view.ts';

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

export const connectionRoutes = (lastSeen: LastSeen) => [
  implement(api.listConnections, {
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listConnections(context.db, ownerOf(principal), after, query.limit + 1);
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.connection_id }));
      const view = principal.kind === 'wallet' ? walletConnectionView : connectionView;
      return { connections: page.items.map(view), next_cursor: page.nextCursor };
    },
  }),
  implement(api.updateConnection, {
    check: connectionChangeIssues,
    async run({ context, act, principal, params, body }) {
      const row = await transaction(context.db, (tx) =>
        changeConnection(tx, act, principal, params['id'] ?? '', body),
      );
      return { connection: walletConnectionView(row) };
    },
  }),
  implement(api.revokeConnection, {
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        revokeConnection(tx, act, auditActor(principal), ownerOf(principal), params['id'] ?? ''),
      );
      await settleRevokedSoon(context.db, act, row.connection_id);
      return { connection: connectionView(row) };
    },
  }),
  implement(api.getCurrentConnection, {
    async run({ context, act, principal }) {
      await lastSeen.stored();
      return readCurrentConnection(context.db, act, principal, context.config.caps.pendingRequests);
    },
  }),
  implement(api.disconnect, {
    async run({ context, act, principal }) {
      const { merchantId, agentId, connectionId } = principal;
      const owner: ConnectionOwner = { kind: 'agent', merchantId, agentId };
      const row = await transaction(context.db, (tx) =>
        revokeConnection(tx, act, auditActor(principal), owner, connectionId),
      );
      await settleRevokedSoon(context.db, act, row.connection_id);
      return { connection: connectionView(row) };
    },
  }),
  implement(api.rotateConnectionToken, {
    async run({ context, act, principal, params }) {
      const rotated = await transaction(context.db, (tx) =>
        rotateToken(tx, act, context.keys, principal, params['id'] ?? ''),
      );
      return { connection: walletConnectionView(rotated.connection), connection_token: rotated.token };
    },
  }),
  implement(api.collectConnectionToken, {
    async run({ context, act, principal, params }) {
      const collected = await transaction(context.db, (tx) =>
        collectToken(tx, act, context.keys, principal, params['id'] ?? ''),
      );
      return { connection: connectionView(collected.connection), connection_token: collected.token };
    },
  }),
];
