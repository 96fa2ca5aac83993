import type { Scope } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { implement } from '../../http/route.ts';
import type { AgentPrincipal, MerchantPrincipal, WalletPrincipal } from '../../principals.ts';
import { scopeIssues } from '../agents/schema.ts';
import { auditActor } from '../audit/record.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import { readPage } from '../page.ts';
import { createConnectKey, listConnectKeys, withdrawConnectKey } from './connect-keys.ts';
import { type ConnectionOwner, listConnections } from './connection-sql.ts';
import { changeConnection, connectionChangeIssues, readCurrentConnection } from './connections.ts';
import { findInvitation, listInvitations } from './invitation-sql.ts';
import {
  approveInvitation,
  claimInvitation,
  exchangeInvitation,
  refuseForeignScopes,
  rejectInvitation,
} from './invitations.ts';
import {
  approvePairing,
  createPairingSession,
  findPairingSession,
  pollPairingSession,
  rejectPairing,
} from './pairing.ts';
import { closeRevokedSoon, revokeConnection } from './revocation.ts';
import { collectToken, rotateToken } from './tokens.ts';
import { connectionView, connectKeyView, invitationView, pairingView, walletConnectionView } from './view.ts';

export const connectKeyRoutes = [
  implement(api.createConnectKey, {
    async run({ context, act, principal }) {
      const made = await transaction(context.db, (tx) =>
        createConnectKey(tx, act, principal, context.config.caps.connectKeys),
      );
      return { connect_key: made.connectKey, ...connectKeyView(made.row) };
    },
  }),
  implement(api.listConnectKeys, {
    async run({ context, act, principal, query }) {
      const { items, next_cursor } = await readPage(query, 'connect_key_id', (page) =>
        listConnectKeys(context.db, principal.walletId, act.now, page),
      );
      return { connect_keys: items.map(connectKeyView), next_cursor };
    },
  }),
  implement(api.withdrawConnectKey, {
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        withdrawConnectKey(tx, act, principal, params['id'] ?? ''),
      );
      return { connect_key: connectKeyView(row) };
    },
  }),
];

export const invitationRoutes = [
  implement(api.claimConnectKey, {
    check: (body) => scopeIssues(body.requested_scopes, 'requested_scopes'),
    async run({ context, act, principal, body }) {
      const requestedScopes = body.requested_scopes as Scope[];
      refuseForeignScopes(principal, requestedScopes);
      const input = { connectKey: body.connect_key, requestedScopes };
      const claimed = await transaction(context.db, (tx) => claimInvitation(tx, act, principal, input));
      return { connect_invitation: invitationView(claimed.invitation), claim_token: claimed.claimToken };
    },
  }),
  implement(api.listConnectInvitations, {
    async run({ context, act, principal, query }) {
      const { items, next_cursor } = await readPage(query, 'connect_invitation_id', (page) =>
        listInvitations(context.db, principal.walletId, query.status, act.now, page),
      );
      return { connect_invitations: items.map(invitationView), next_cursor };
    },
  }),
  implement(api.getConnectInvitation, {
    async run({ context, act, principal, params }) {
      const id = params['id'] ?? '';
      if (principal.kind === 'claim' && id !== principal.invitationId) throw notFound();
      const owner =
        principal.kind === 'claim'
          ? ({ kind: 'claimant', merchantId: principal.merchantId, agentId: principal.agentId } as const)
          : ({ kind: 'wallet', walletId: principal.walletId } as const);
      const row = await findInvitation(context.db, owner, id, act.now);
      if (!row) throw notFound();
      return { connect_invitation: invitationView(row) };
    },
  }),
  implement(api.approveConnectInvitation, {
    check: (body) => scopeIssues(body.scopes, 'scopes'),
    async run({ context, act, principal, params, body }) {
      const scopes = body.scopes as Scope[] | undefined;
      const row = await transaction(context.db, (tx) =>
        approveInvitation(tx, act, principal, params['id'] ?? '', scopes),
      );
      return { connect_invitation: invitationView(row) };
    },
  }),
  implement(api.rejectConnectInvitation, {
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        rejectInvitation(tx, act, principal, params['id'] ?? ''),
      );
      return { connect_invitation: invitationView(row) };
    },
  }),
  implement(api.exchangeConnectInvitation, {
    async run({ context, act, principal, params }) {
      const made = await transaction(context.db, (tx) =>
        exchangeInvitation(tx, act, context.keys, principal, params['id'] ?? ''),
      );
      return { connection: connectionView(made.connection), connection_token: made.token };
    },
  }),
];

export const pairingRoutes = [
  implement(api.createPairingSession, {
    check: (body) => scopeIssues(body.requested_scopes, 'requested_scopes'),
    async run({ context, act, principal, body }) {
      const requestedScopes = body.requested_scopes as Scope[];
      refuseForeignScopes(principal, requestedScopes);
      const input = { requestedScopes, baseUrl: context.config.baseUrl };
      const made = await transaction(context.db, (tx) =>
        createPairingSession(tx, act, context.keys, principal, input),
      );
      return {
        pairing_session: {
          ...pairingView(made.session),
          code: made.code,
          pairing_uri: made.pairingUri,
        },
      };
    },
  }),
  implement(api.getPairingSession, {
    async run({ context, act, principal, params, query }) {
      const polled = await pollPairingSession(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: query.code,
      });
      return {
        pairing_session: pairingView(polled.session),
        connection: polled.connection ? connectionView(polled.connection) : null,
        connection_token: polled.token ?? null,
      };
    },
  }),
  implement(api.findPairingSession, {
    async run({ context, act, principal, query, limit }) {
      // Counted before the lookup, so that parallel guesses cannot slip through; a hit is refunded.
      const rate = await limit('pairing_lookup', principal.deviceId);
      const session = await findPairingSession(context.db, context.keys, query.code, act.now);
      if (!session) throw notFound();
      await rate?.giveBack();
      return { pairing_session: pairingView(session) };
    },
  }),
  implement(api.approvePairingSession, {
    check: (body) => scopeIssues(body.scopes, 'scopes'),
    async run({ context, act, principal, params, body }) {
      const made = await approvePairing(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: body.code,
        scopes: body.scopes as Scope[] | undefined,
      });
      return { connection: connectionView(made.connection), connection_token: made.token };
    },
  }),
  implement(api.rejectPairingSession, {
    async run({ context, act, principal, params, body }) {
      const session = await rejectPairing(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: body.code,
      });
      return { pairing_session: pairingView(session) };
    },
  }),
];

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
      const { items, next_cursor } = await readPage(query, 'connection_id', (page) =>
        listConnections(context.db, ownerOf(principal), page),
      );
      return {
        connections: items.map(principal.kind === 'wallet' ? walletConnectionView : connectionView),
        next_cursor,
      };
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
      await closeRevokedSoon(context.db, act, row.connection_id);
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
      await closeRevokedSoon(context.db, act, row.connection_id);
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
