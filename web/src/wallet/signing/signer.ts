import type { Payment } from '../payments/payment.ts';

/**
 * Something that can sign a payment. The wallet asks every signer in turn whether it can, lets the user approve, and then
 * calls `sign` once, keeps the result, reports `signed`, and only then calls `submit`.
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
  /** What was signed is thrown away: it was never sent, and never will be. */
  discard?(signed: SignedPayment): Promise<void>;
}

/** The one that signs with the key in this browser. */
export const TEST_KEY_SIGNER = 'stellar_testnet';

/** Thrown by `sign`: it cannot be done, and the message tells the user why. */
export class CannotSignError extends Error {}

export type SigningAbility =
  /** Signs on this device; `account` is the one that pays, where it is known. */
  | { can: 'here'; note?: string; account?: string }
  /** The user signs in another app and reports the hash. */
  | { can: 'elsewhere' }
  /** Not this payment; `why` is a sentence for the user, where there is something to say. */
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
  /** Nobody knows: the network could not be reached. It stays signed and can be sent later. */
  | { outcome: 'unreachable'; why: string }
  /** The network refused it, but may take it later; `why` is a sentence for the user. It stays signed. */
  | { outcome: 'refused'; why: string }
  /** Another app sends it; the user reports the hash. */
  | { outcome: 'elsewhere' };
