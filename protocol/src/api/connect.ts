import { INVITATION_STATUSES } from '../enumerations.ts';
import { ConnectInvitationSchema, ConnectKeySchema } from '../records/connect.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { input, scopeList, TokenAnswer } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Connect', credential: ['wallet'] });

const InvitationAnswer = record('InvitationAnswer', 'One invitation.', {
  connect_invitation: ConnectInvitationSchema,
});

export const createConnectKey = operation('createConnectKey', 'POST /v1/connect-keys', {
  sdk: 'WalletConnectKeys.create',
  summary: 'Make a one-time Connect Key that the customer hands to an agent',
  description:
    'It lives for ten minutes and can be claimed once. A key approves nothing: the wallet decides on the invitation.',
  status: 201,
  answer: record('CreatedConnectKey', 'A new Connect Key. The key itself is shown in this response only.', {
    connect_key: Type.String({ description: 'What the customer hands to the agent, `svc_ck_…`.' }),
    ...ConnectKeySchema.properties,
  }),
  errors: ['limit_reached'],
});

export const listConnectKeys = operation('listConnectKeys', 'GET /v1/connect-keys', {
  sdk: 'WalletConnectKeys.list',
  summary: "List the wallet's Connect Keys, without the keys themselves",
  description: 'Keys that were used, withdrawn or have expired are listed too.',
  query: PAGE,
  answer: pageOf('ConnectKeysPage', 'connect_keys', ConnectKeySchema),
});

export const withdrawConnectKey = operation('withdrawConnectKey', 'DELETE /v1/connect-keys/{id}', {
  sdk: 'WalletConnectKeys.withdraw',
  summary: 'Withdraw a Connect Key that was not claimed yet',
  description: 'Afterwards it can no longer be claimed.',
  answer: record('ConnectKeyAnswer', 'One Connect Key, without the key itself.', {
    connect_key: ConnectKeySchema,
  }),
  errors: ['connect_key_used'],
});

export const claimConnectKey = operation('claimConnectKey', 'POST /v1/connect-invitations/claim', {
  summary: 'Claim a Connect Key and request scopes from the customer',
  description: 'A refused claim does not consume the key. Claiming is not approval: the wallet decides.',
  credential: ['agent'],
  limit: 'claim',
  body: input('ClaimInput', 'Claims a Connect Key.', {
    connect_key: Type.String({ description: 'What the customer copied from the wallet, `svc_ck_…`.' }),
    requested_scopes: scopeList('What the agent requests from the customer.'),
  }),
  status: 201,
  answer: record('ClaimedInvitation', 'A claimed invitation with the token that reads and exchanges it.', {
    connect_invitation: ConnectInvitationSchema,
    claim_token: Type.String({ description: 'For this invitation only, `svc_cl_…`.' }),
  }),
  errors: ['insufficient_scope', 'resource_not_found', 'connect_key_used', 'connect_key_expired'],
  example: {
    connect_key: 'svc_ck_…',
    requested_scopes: ['payment.requests.create', 'payment.requests.read'],
  },
});

export const listConnectInvitations = operation('listConnectInvitations', 'GET /v1/connect-invitations', {
  sdk: 'WalletInvitations.list',
  summary: "List invitations on the wallet's Connect Keys",
  description: 'Show agent, merchant, verified domain and scopes to the customer before deciding.',
  query: record('InvitationQuery', 'Which invitations.', {
    ...PAGE_QUERY,
    status: Type.Optional(oneOf(INVITATION_STATUSES, 'Only those in this status.')),
  }),
  answer: pageOf('InvitationsPage', 'connect_invitations', ConnectInvitationSchema),
});

export const getConnectInvitation = operation('getConnectInvitation', 'GET /v1/connect-invitations/{id}', {
  sdk: 'WalletInvitations.get',
  summary: 'Read an invitation: the agent, its merchant, the scopes, and the decision',
  description: 'The wallet reads it with its device token, the agent with the claim token.',
  credential: ['claim', 'wallet'],
  answer: InvitationAnswer,
});

export const approveConnectInvitation = operation(
  'approveConnectInvitation',
  'POST /v1/connect-invitations/{id}/approve',
  {
    sdk: 'WalletInvitations.approve',
    summary: 'Approve an invitation, with all requested scopes or some of them',
    description: 'The agent gets its token only when it exchanges the invitation.',
    body: input('ApproveInvitationInput', "The customer's approval of an invitation.", {
      scopes: Type.Optional(scopeList('Some of the requested scopes; all of them when absent.')),
    }),
    answer: InvitationAnswer,
    errors: ['invitation_closed'],
    example: { scopes: ['payment.requests.create', 'payment.requests.read'] },
  },
);

export const rejectConnectInvitation = operation(
  'rejectConnectInvitation',
  'POST /v1/connect-invitations/{id}/reject',
  {
    sdk: 'WalletInvitations.reject',
    summary: 'Reject an invitation, also an approved one that was not exchanged yet',
    description: 'Final. The agent has to request again with a new Connect Key.',
    answer: InvitationAnswer,
    errors: ['invitation_closed'],
  },
);

export const exchangeConnectInvitation = operation(
  'exchangeConnectInvitation',
  'POST /v1/connect-invitations/{id}/exchange',
  {
    summary: 'Exchange an approved invitation for a connection token, once',
    description:
      'A lost response costs nothing: the agent collects the token with /v1/connections/{id}/collect-token.',
    credential: ['claim'],
    limit: 'reads',
    answer: TokenAnswer,
    errors: ['agent_not_active', 'wallet_approval_required', 'invitation_closed', 'token_revoked'],
  },
);
