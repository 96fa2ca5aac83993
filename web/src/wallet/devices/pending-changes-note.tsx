import type { WalletClient } from '@payassent/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pendingChanges as texts } from '../../texts/wallet.ts';
import { Note } from '../../ui/notes.tsx';
import { useSession } from '../session/session.tsx';

const REFRESH_MS = 15_000;

/** Changes of the wallet's keys that no key has authorized and that can still be cancelled. */
export function pendingChangesQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['pending-changes'],
    queryFn: async () => (await client.pendingChanges.list()).filter(({ status }) => status === 'pending'),
    refetchInterval: REFRESH_MS,
  });
}

/** On every page of every device, so that the owner sees in time what a stolen one asked for. */
export function PendingChangesNote() {
  const { client } = useSession();
  const waiting = useQuery(pendingChangesQuery(client)).data ?? [];
  if (waiting.length === 0) return null;
  return (
    <Note kind="warn">
      <strong>{texts.title}</strong>
      <span>{texts.short}</span>
      <Link href="/devices">{texts.look}</Link>
    </Note>
  );
}
