import type { PublishedKey } from '@payassent/protocol/evidence';
import type { WalletClient } from '@payassent/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Payment } from '../payments/payment.ts';
import { useWallet } from '../session/session.tsx';
import { deleteEntry, readEntry, writeEntry } from '../storage/database.ts';
import { checkPayee, type KnownLog, type LogTools } from './check-payee.ts';

/** Beside the credential, and forgotten with it. */
const KNOWN = 'log';
const AGAIN_MS = 10_000;

function logTools(client: WalletClient): LogTools {
  return {
    evidence: ({ kind, id, connectionId }) =>
      kind === 'agent'
        ? client.agentPayments.evidence(id)
        : client.paymentRequests.evidence(id, { connection_id: connectionId }),
    keys: async () => {
      const answer = await readPublic('/.well-known/svc-keys.json');
      return ((await answer.json()) as { keys: PublishedKey[] }).keys;
    },
    readTile: async (path) => new Uint8Array(await (await readPublic(`/log/${path}`)).arrayBuffer()),
    known: () => readEntry<KnownLog>('device', KNOWN),
    keep: (known) => writeEntry('device', KNOWN, known),
  };
}

async function readPublic(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

function payeeCheckQuery(client: WalletClient, payment: Payment) {
  return queryOptions({
    queryKey: ['payee-check', payment.key],
    // One page of this browser at a time: what one has seen, the next one builds on.
    queryFn: () => navigator.locks.request('log', () => checkPayee(logTools(client), payment)),
    enabled: payment.payee?.domain !== undefined || payment.payee?.isMisspelled === true,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data?.state === 'unreachable' || state.data?.state === 'not_logged' ? AGAIN_MS : false,
  });
}

export function usePayeeCheck(payment: Payment) {
  return useQuery(payeeCheckQuery(useWallet(), payment)).data;
}

/** The person takes the log as it is now for the true one. */
export function forgetKnownLog(): Promise<void> {
  return deleteEntry('device', KNOWN);
}
