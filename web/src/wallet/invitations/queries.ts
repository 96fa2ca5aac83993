import type { WalletClient } from '@countersign/sdk';
import { queryOptions } from '@tanstack/react-query';

const REFRESH_MS = 3_000;

/** Invitations have no long poll; a person who handed out a key waits in front of the page. */
export function openInvitationsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['invitations', 'open'],
    queryFn: async () =>
      (await client.invitations.list({ status: 'pending_approval', limit: 100 })).connect_invitations,
    refetchInterval: REFRESH_MS,
  });
}

export function decidedInvitationsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['invitations', 'decided'],
    queryFn: async () =>
      (await client.invitations.list({ limit: 50 })).connect_invitations.filter(
        ({ status }) => status !== 'pending_approval',
      ),
  });
}
