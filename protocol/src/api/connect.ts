import { Type } from 'typebox';
import { INVITATION_STATUSES } from '../enumerations.ts';
import { ConnectInvitationSchema, ConnectKeySchema } from '../records/connect.ts';
import { oneOf } from '../records/schema.ts';
import { CLOSED, SCOPE_LIST, TokenAnswer } from './members.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const tag = 'Connect';
const InvitationAnswer = Type.Object({ connect_invitation: ConnectInvitationSchema });

export const createConnectKey = operation({
  id: 'createConnectKey',
  method: 'POST',
  path: '/v1/connect-keys',
  summary: 'Make a one-time Connect Key that the user hands to an agent',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  status: 201,
  answer: Type.Object({
    connect_key: Type.String({ description: 'Shown once, svc_ck_…' }),
    ...ConnectKeySchema.properties,
  }),
  errors: ['limit_reached'],
});

export const listConnectKeys = operation({
  id: 'listConnectKeys',
  method: 'GET',
  path: '/v1/connect-keys',
  summary: "List the wallet's Connect Keys, without the keys themselves",
  tag,
  credential: ['wallet'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  answer: pageOf('connect_keys', ConnectKeySchema),
});

export const withdrawConnectKey = operation({
  id: 'withdrawConnectKey',
  method: 'DELETE',
  path: '/v1/connect-keys/{id}',
  summary: 'Withdraw a Connect Key that nobody has claimed',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: Type.Object({ connect_key: ConnectKeySchema }),
  errors: ['resource_not_found', 'connect_key_used'],
});

export const claimConnectKey = operation({
  id: 'claimConnectKey',
  method: 'POST',
  path: '/v1/connect-invitations/claim',
  summary: 'Claim a Connect Key and ask the user for scopes',
  description: 'A refused claim does not consume the key. Claiming is not approval: the wallet decides.',
  tag,
  credential: ['agent'],
  limit: 'claim',
  body: Type.Object(
    {
      connect_key: Type.String({ description: 'What the user copied from the wallet, svc_ck_…' }),
      requested_scopes: SCOPE_LIST,
    },
    CLOSED,
  ),
  status: 201,
  answer: Type.Object({
    connect_invitation: ConnectInvitationSchema,
    claim_token: Type.String({ description: 'For detail and exchange of this invitation only, svc_cl_…' }),
  }),
  errors: ['insufficient_scope', 'resource_not_found', 'connect_key_used', 'connect_key_expired'],
});

export const listConnectInvitations = operation({
  id: 'listConnectInvitations',
  method: 'GET',
  path: '/v1/connect-invitations',
  summary: "List invitations on the wallet's Connect Keys",
  tag,
  credential: ['wallet'],
  limit: 'reads',
  query: Type.Object({
    ...PAGE_QUERY,
    status: Type.Optional(oneOf(INVITATION_STATUSES)),
  }),
  answer: pageOf('connect_invitations', ConnectInvitationSchema),
});

export const getConnectInvitation = operation({
  id: 'getConnectInvitation',
  method: 'GET',
  path: '/v1/connect-invitations/{id}',
  summary: 'Read an invitation: who asks, for whom, for what, and what was decided',
  tag,
  credential: ['claim', 'wallet'],
  limit: 'reads',
  answer: InvitationAnswer,
  errors: ['resource_not_found'],
});

export const approveConnectInvitation = operation({
  id: 'approveConnectInvitation',
  method: 'POST',
  path: '/v1/connect-invitations/{id}/approve',
  summary: 'Approve an invitation, with all requested scopes or some of them',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: Type.Object({ scopes: Type.Optional(SCOPE_LIST) }, CLOSED),
  answer: InvitationAnswer,
  errors: ['resource_not_found', 'invitation_closed'],
});

export const rejectConnectInvitation = operation({
  id: 'rejectConnectInvitation',
  method: 'POST',
  path: '/v1/connect-invitations/{id}/reject',
  summary: 'Reject an invitation, also an approved one that was not exchanged yet',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: InvitationAnswer,
  errors: ['resource_not_found', 'invitation_closed'],
});

export const exchangeConnectInvitation = operation({
  id: 'exchangeConnectInvitation',
  method: 'POST',
  path: '/v1/connect-invitations/{id}/exchange',
  summary: 'Exchange an approved invitation for a connection token, once',
  description:
    'A lost answer costs nothing: the agent collects the token with /v1/connections/{id}/collect-token until it is first used.',
  tag,
  credential: ['claim'],
  limit: 'reads',
  answer: TokenAnswer,
  errors: [
    'resource_not_found',
    'agent_not_active',
    'wallet_approval_required',
    'invitation_closed',
    'token_revoked',
  ],
});
