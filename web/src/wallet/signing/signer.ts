import type { Payment } from '../payments/payment.ts';

/**
 * A way to sign a payment. The wallet checks every signer in turn for whether it can, lets the customer approve, and
 * then calls `sign` once, stores the result, reports `signed`, and only then calls `submit`.
 */
export interface Signer {
  /** Kept with what it signed, so that the same signer continues after a reload. */
  readonly id: string;
  canSign(payment: Payment): Promise<SigningAbility>;
  /** Signs, and sends nothing. Called at most once for a payment, unless its result never reached the journal. */
  sign(payment: Payment): Promise<SignedPayment>;
  /**
   * Sends what was signed. May be called again with the same envelope after a reload: a transaction that the network
   * already has counts as sent, never as a failure.
   */
  submit(payment: Payment, signed: SignedPayment): Promise<Submission>;
  /** Deletes what was signed: it was never sent, and never will be. */
  discard?(signed: SignedPayment): Promise<void>;
}

/** The one that signs with the key in this browser. */
export const TEST_KEY_SIGNER = 'stellar_testnet';

/** Thrown by `sign`: it cannot be done, and the message gives the customer the reason. */
export class CannotSignError extends Error {}

export type SigningAbility =
  /** Signs on this device; `account` is the one that pays, where it is known. */
  | { can: 'here'; note?: string; account?: string }
  /** The user signs in another app and reports the hash. */
  | { can: 'elsewhere' }
  /** Not this payment; `why` is a sentence for the customer, where there is a reason to show. */
  | { can: 'no'; why: string | undefined };

export interface SignedPayment {
  /** Absent when another app makes the transaction. */
  txHash?: string;
  /** The signed transaction in the network's own form; absent when another app keeps it. */
  envelope?: string;
}

export type Submission =
  | { outcome: 'confirmed'; txHash: string }
  /** The network has it, but it is not final yet. */
  | { outcome: 'broadcasted'; txHash: string }
  /** The network refused it for good; `reasonCode` has lower case letters, digits and underscores. */
  | { outcome: 'failed'; reasonCode: string; reason: string }
  /** No one knows: the network could not be reached. It stays signed and can be sent later. */
  | { outcome: 'unreachable'; why: string }
  /** The network refused it, but may take it later; `why` is a sentence for the user. It stays signed. */
  | { outcome: 'refused'; why: string }
  /** Another app sends it; the user reports the hash. */
  | { outcome: 'elsewhere' };
