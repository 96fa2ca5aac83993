import type { WalletClient } from '@payassent/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE, readAll } from '../read-up-to.ts';

const REFRESH_MS = 8_000;

export function connectionsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['connections'],
    queryFn: () => readAll(client.connections.each({ limit: PAGE })),
    refetchInterval: REFRESH_MS,
  });
}

const INVITATIONS_MS = 3_000;

/** Invitations have no long poll; a person who handed out a key waits in front of the page. */
export function openInvitationsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['invitations', 'open'],
    queryFn: () => readAll(client.invitations.each({ status: 'pending_approval', limit: PAGE })),
    refetchInterval: INVITATIONS_MS,
  });
}

export function decidedInvitationsQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['invitations', 'decided'],
    queryFn: async () =>
      (await client.invitations.list({ limit: 50 })).connect_invitations.filter(
        ({ status }) => status !== 'pending_approval',
      ),
    // An approved one can still be taken back until the agent has fetched its credential.
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'approved') ? INVITATIONS_MS : false,
  });
}
