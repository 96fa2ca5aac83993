import { purposeOf } from '@payassent/protocol';
import { useQuery } from '@tanstack/react-query';
import { useWallet } from '../session/session.tsx';
import { contextQuery } from './gateway.ts';
import type { Payment } from './payment.ts';

const NONE = { transactionId: '', revision: null };

/** What the agent wrote about a payment apart from the request itself. */
export function useDescription({ connectionId, context }: Payment, isWanted = true) {
  return useQuery({
    ...contextQuery(useWallet(), connectionId, context ?? NONE),
    enabled: context !== undefined && isWanted,
  });
}

export function displayOf({ said }: Payment): Record<string, unknown> {
  return said.find(({ part }) => part === 'display')?.content ?? {};
}

/** For lists: a description is read only where the request itself does not name its purpose, and never read again. */
export function usePurpose(payment: Payment, readsDescription: boolean): string | undefined {
  const told = purposeOf(displayOf(payment));
  const isPinned = payment.context?.revision != null;
  const description = useDescription(payment, readsDescription && told === undefined && isPinned);
  return told ?? purposeOf(description.data?.content ?? {});
}
