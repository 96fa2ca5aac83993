import { useQuery } from '@tanstack/react-query';
import type { Payment } from '../payments/payment.ts';
import { useWallet } from '../session/session.tsx';
import { connectionsQuery } from './queries.ts';

/** The requesting agent: its id, which determines the picture, and the merchant's name for it, where known. */
export function useAgent(payment: Payment): { id: string; name: string | undefined } {
  const connections = useQuery(connectionsQuery(useWallet())).data;
  const agent = connections?.find(({ connection_id }) => connection_id === payment.connectionId)?.agent;
  return {
    id: payment.agentId ?? agent?.agent_id ?? payment.connectionId,
    name: payment.agentName ?? agent?.name,
  };
}
