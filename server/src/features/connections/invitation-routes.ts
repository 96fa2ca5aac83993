import { INVITATION_STATUSES, type InvitationStatus, type Scope } from '@payassent/protocol';
import { ConnectInvitationSchema, ConnectionSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute } from '../../http/route.ts';
import { scopeIssues } from '../agents/schema.ts';
import { claimInvitation, refuseForeignScopes } from './claim.ts';
import { approveInvitation, rejectInvitation } from './decide-invitation.ts';
import { exchangeInvitation } from './exchange.ts';
import { findInvitation, listInvitations } from './invitation-sql.ts';
import { ApproveInvitation, ClaimInvitation, NEXT_CURSOR } from './schema.ts';
import { connectionView, invitationView } from './view.ts';

const tag = 'Connect';
const InvitationAnswer = Type.Object({ connect_invitation: ConnectInvitationSchema });

export const invitationRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/connect-invitations/claim',
    summary: 'Claim a Connect Key and ask the user for scopes',
    description: 'A refused claim does not consume the key. Claiming is not approval: the wallet decides.',
    tag,
    credential: ['agent'],
    limit: 'claim',
    body: ClaimInvitation,
    status: 201,
    answer: Type.Object({
      connect_invitation: ConnectInvitationSchema,
      claim_token: Type.String({ description: 'For detail and exchange of this invitation only, svc_cl_…' }),
    }),
    errors: ['insufficient_scope', 'resource_not_found', 'connect_key_used', 'connect_key_expired'],
    check: (body) => scopeIssues(body.requested_scopes, 'requested_scopes'),
    async run({ context, act, principal, body }) {
      const requestedScopes = body.requested_scopes as Scope[];
      refuseForeignScopes(principal, requestedScopes);
      const input = { connectKey: body.connect_key, requestedScopes };
      const claimed = await transaction(context.db, (tx) => claimInvitation(tx, act, principal, input));
      return { connect_invitation: invitationView(claimed.invitation), claim_token: claimed.claimToken };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/connect-invitations',
    summary: "List invitations on the wallet's Connect Keys",
    tag,
    credential: ['wallet'],
    limit: 'reads',
    query: Type.Object({
      ...PAGE_QUERY,
      status: Type.Optional(
        Type.Unsafe<InvitationStatus>({ type: 'string', enum: [...INVITATION_STATUSES] }),
      ),
    }),
    answer: Type.Object({ connect_invitations: Type.Array(ConnectInvitationSchema), ...NEXT_CURSOR }),
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
  defineRoute({
    method: 'GET',
    path: '/v1/connect-invitations/{id}',
    summary: 'Read an invitation: who asks, for whom, for what, and what was decided',
    tag,
    credential: ['claim', 'wallet'],
    limit: 'reads',
    answer: InvitationAnswer,
    errors: ['resource_not_found'],
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
  defineRoute({
    method: 'POST',
    path: '/v1/connect-invitations/{id}/approve',
    summary: 'Approve an invitation, with all requested scopes or some of them',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    body: ApproveInvitation,
    answer: InvitationAnswer,
    errors: ['resource_not_found', 'invitation_closed'],
    check: (body) => scopeIssues(body.scopes, 'scopes'),
    async run({ context, act, principal, params, body }) {
      const scopes = body.scopes as Scope[] | undefined;
      const row = await transaction(context.db, (tx) =>
        approveInvitation(tx, act, principal, params['id'] ?? '', scopes),
      );
      return { connect_invitation: invitationView(row) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/connect-invitations/{id}/reject',
    summary: 'Reject an invitation, also an approved one that was not exchanged yet',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    answer: InvitationAnswer,
    errors: ['resource_not_found', 'invitation_closed'],
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        rejectInvitation(tx, act, principal, params['id'] ?? ''),
      );
      return { connect_invitation: invitationView(row) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/connect-invitations/{id}/exchange',
    summary: 'Exchange an approved invitation for a connection token, once',
    description:
      'A lost answer costs nothing: the agent collects the token with /v1/connections/{id}/collect-token until it is first used.',
    tag,
    credential: ['claim'],
    limit: 'reads',
    answer: Type.Object({ connection: ConnectionSchema, connection_token: Type.String() }),
    errors: [
      'resource_not_found',
      'agent_not_active',
      'wallet_approval_required',
      'invitation_closed',
      'token_revoked',
    ],
    async run({ context, act, principal, params }) {
      const made = await transaction(context.db, (tx) =>
        exchangeInvitation(tx, act, context.keys, principal, params['id'] ?? ''),
      );
      return { connection: connectionView(made.connection), connection_token: made.token };
    },
  }),
];
