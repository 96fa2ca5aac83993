import type { KeyChange, WalletAuthorization } from '@payassent/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queries } from '../../ui/queries.ts';
import { type Session, useSession } from '../session/session.tsx';
import { authorized, openDecisionKey } from './decision-keys.ts';
import { readPasskeyLimit } from './sign-shown.ts';

export function decisionKeyQuery({ client, device: { deviceId } }: Session) {
  return queryOptions({
    queryKey: ['decision-key'],
    queryFn: () => openDecisionKey({ client, deviceId }),
  });
}

export function useDecisionKey() {
  return useQuery(decisionKeyQuery(useSession()));
}

/** Signs a change of the wallet's keys with the key of this device, which may still be loading. */
export function useAuthorization() {
  const session = useSession();
  return async <T>(
    change: KeyChange,
    call: (by: { authorization?: WalletAuthorization }) => Promise<T>,
  ): Promise<T> => {
    const { held } = await queries.fetchQuery({ ...decisionKeyQuery(session), staleTime: 60_000 });
    return authorized(held, session.device, change, call);
  };
}

export function passkeyLimitQuery() {
  return queryOptions({ queryKey: ['passkey-limit'], queryFn: async () => (await readPasskeyLimit()) ?? '' });
}
