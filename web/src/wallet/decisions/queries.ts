import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Session, useSession } from '../session/session.tsx';
import { openDecisionKey } from './decision-keys.ts';
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

export function passkeyLimitQuery() {
  return queryOptions({ queryKey: ['passkey-limit'], queryFn: async () => (await readPasskeyLimit()) ?? '' });
}
