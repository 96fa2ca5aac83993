import type { Network } from '@payassent/protocol';
import type { ObservedTransaction } from '@payassent/protocol/records';

/** What was agreed, as far as a chain can show it: the `payment` of a payment request or an agent payment. */
export interface PinnedPayment {
  readonly to: string;
  readonly asset: string;
  readonly amount: string;
  readonly issuer?: string | null | undefined;
  readonly contract?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly memo?: string | null | undefined;
  /** When the record was made; a payment that is older is about something else. */
  readonly made?: { readonly at: string; readonly network: Network } | undefined;
}

/**
 * Money that reached an address. A token whose name is not pinned goes by its contract in `asset`, and its amount is
 * in the token's smallest unit: what such a contract says of itself proves nothing.
 */
export type ObservedPayment = ObservedTransaction['payments'][number];

/**
 * One source's word on one transaction. A source that cannot be reached or talks nonsense throws instead. `height` is
 * how far its chain reaches: one that lags behind a block says nothing about what became of it.
 */
export type SourceFinding =
  | { present: false; height: number }
  | {
      present: true;
      height: number;
      final: boolean;
      failed: boolean;
      transaction: ObservedTransaction;
      /** What left the pinned address in the pinned asset by the same transaction. */
      debited: string;
    };

export interface ChainTip {
  height: number;
  time: string;
}

export interface ChainSource {
  /** `pinned` only lends its name and decimals to the token that it names; nothing is compared here. */
  lookUp(txHash: string, pinned: PinnedPayment, signal: AbortSignal): Promise<SourceFinding>;
  tip(signal: AbortSignal): Promise<ChainTip>;
}

/** One exchange with a source, bounded in time and size; throws where there is no whole answer. */
export type ChainFetch = (
  request: { url: string; method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
  signal: AbortSignal,
) => Promise<{ status: number; body: Uint8Array }>;
