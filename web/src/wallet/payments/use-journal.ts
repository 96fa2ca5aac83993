import { useQuery } from '@tanstack/react-query';
import { manualSigner } from '../signing/signers.ts';
import { type JournalEntry, journal } from '../storage/journal.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Payment } from './payment.ts';

/** This device's journal entry for its own approval: null when there is none, undefined while it is being read. */
export function useJournal(payment: Pick<Payment, 'key'>): JournalEntry | null | undefined {
  return useQuery({
    queryKey: ['journal', payment.key],
    queryFn: async () => (await journal.read(payment)) ?? null,
  }).data;
}

/** The same on the device that signed and sent it, which has the network's own response. */
export function outcomeHere(payment: Payment, kept: JournalEntry | null | undefined): Outcome {
  const outcome = outcomeOf(payment);
  const wasSentHere = kept != null && kept.signerId !== manualSigner.id && kept.txHash === payment.txHash;
  return outcome === 'reported' && wasSentHere ? 'paid' : outcome;
}
