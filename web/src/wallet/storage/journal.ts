import type { SignedDecision } from '@payassent/sdk';
import type { Payment } from '../payments/payment.ts';
import { deleteEntry, readEntry, writeEntry } from './database.ts';

/** What this device approved. Written before anything leaves the device, so that a crash never leads to a second signature. */
export interface JournalEntry {
  signerId: string;
  /** Absent while only another app knows it. */
  txHash?: string;
  /** The signed transaction, for sending it again; absent when another app signs. */
  envelope?: string;
  /** The customer's signed decision; sent again unchanged when its arrival is unknown. */
  decision?: SignedDecision | undefined;
}

export interface Journal {
  read(payment: Pick<Payment, 'key'>): Promise<JournalEntry | undefined>;
  keep(payment: Payment, entry: JournalEntry): Promise<void>;
  drop(payment: Payment): Promise<void>;
}

export const journal: Journal = {
  read: (payment) => readEntry<JournalEntry>('journal', payment.key),
  keep: (payment, entry) => writeEntry('journal', payment.key, entry),
  drop: (payment) => deleteEntry('journal', payment.key),
};
