import { isPaid, type Payment } from '../payments/payment.ts';

/**
 * The payees that this device has seen paid, one payment for each: the warning of a changed address must not depend on
 * a server's records, nor on the number of payments since. Without the agent's words, and no more than a browser keeps
 * easily.
 */
interface PaidPayees {
  /** Newest first. */
  read(): Payment[];
  remember(payments: readonly Payment[]): void;
  forget(): void;
}

export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

// The product's previous name: what a device has seen paid before the rename must not be deleted.
const KEY = 'countersign-wallet-paid-payees';
const MOST_PAYEES = 500;

export function createPaidPayees(store: TextStore | undefined): PaidPayees {
  const read = (): Payment[] => {
    try {
      const kept: unknown = JSON.parse(store?.getItem(KEY) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isPayment) : [];
    } catch {
      return [];
    }
  };
  const write = (payments: readonly Payment[]) => {
    try {
      store?.setItem(KEY, JSON.stringify(payments));
    } catch {
      // A full or closed store keeps what it has; the server's history is still there.
    }
  };
  return {
    read,
    remember(payments) {
      const known = read();
      const newest = mergeHistory(known, payments.filter(isPaid).map(withoutWords));
      const kept = onePerPayee(newest).slice(0, MOST_PAYEES);
      if (JSON.stringify(kept) !== JSON.stringify(known)) write(kept);
    },
    forget() {
      try {
        store?.removeItem(KEY);
      } catch {
        // As above.
      }
    },
  };
}

/** Both, newest first; of two records of one payment the later state counts. */
export function mergeHistory(kept: readonly Payment[], read: readonly Payment[]): Payment[] {
  const byKey = new Map<string, Payment>();
  for (const payment of [...kept, ...read]) {
    const known = byKey.get(payment.key);
    if (known === undefined || known.updatedAt <= payment.updatedAt) byKey.set(payment.key, payment);
  }
  return [...byKey.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function onePerPayee(newestFirst: readonly Payment[]): Payment[] {
  const byPayee = new Map<string, Payment>();
  for (const payment of newestFirst) {
    const payee = payment.payee?.recipientId ?? `${payment.facts.network} ${payment.facts.to}`;
    if (!byPayee.has(payee)) byPayee.set(payee, payment);
  }
  return [...byPayee.values()];
}

function withoutWords(payment: Payment): Payment {
  return { ...payment, said: [], reasonText: undefined };
}

/** What another version of this page, or another page of this origin, has written is not trusted to have the form. */
function isPayment(entry: unknown): entry is Payment {
  const { key, id, connectionId, status, createdAt, updatedAt, facts } = (entry ?? {}) as Partial<Payment>;
  return (
    [key, id, connectionId, status, createdAt, updatedAt]
      .concat([facts?.to, facts?.network, facts?.asset, facts?.amount])
      .every((member) => typeof member === 'string') && /^\d+(\.\d+)?$/.test(facts?.amount ?? '')
  );
}

/** Reading the property alone throws where a browser forbids storage. */
function browserStore(): TextStore | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

export const paidPayees = createPaidPayees(browserStore());
