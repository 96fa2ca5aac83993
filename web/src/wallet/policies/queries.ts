import type { AutomationPolicy, WalletClient } from '@payassent/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE, readAll } from '../read-up-to.ts';

const REFRESH_MS = 8_000;

export function policiesQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['policies', 'all'],
    queryFn: () => readAll(client.policies.each({ limit: PAGE })),
    refetchInterval: REFRESH_MS,
  });
}

export function policyQuery(client: WalletClient, policyId: string) {
  return queryOptions({
    queryKey: ['policies', 'one', policyId],
    queryFn: () => client.policies.get(policyId),
    refetchInterval: REFRESH_MS,
  });
}

/** What waits for the person's consent. */
export function proposedIn(all: readonly AutomationPolicy[] | undefined): number {
  return (all ?? []).filter(({ status }) => status === 'draft').length;
}

export function hasProposal(policy: AutomationPolicy): boolean {
  const isOpen = policy.status === 'active' || policy.status === 'paused';
  return isOpen && (policy.proposed_payees ?? []).length > 0;
}
