import type { Scope } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement } from '../../http/route.ts';
import { scopeIssues } from '../agents/schema.ts';
import { claimInvitation, refuseForeignScopes } from './claim.ts';
import { approveInvitation, rejectInvitation } from './decide-invitation.ts';
import { exchangeInvitation } from './exchange-invitation.ts';
import { findInvitation, listInvitations } from './invitation-sql.ts';
import { connectionView, invitationView } from './view.ts';

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
      const after = decodeCursor(query.cursor);
      const rows = await listInvitations(context.db, principal.walletId, act.now, {
        status: query.status,
        after,
        limit: query.limit + 1,
      });
      const page = toPage(rows, query.limit, (row) => ({
        createdAt: row.created_at,
        id: row.connect_invitation_id,
      }));
      return { connect_invitations: page.items.map(invitationView), next_cursor: page.nextCursor };
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
