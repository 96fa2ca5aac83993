import type { Network } from '@payassent/protocol';
import type { ObservedTransaction } from '@payassent/protocol/records';

/** The pinned details, as far as a chain can show them: the `payment` of a payment request or an agent payment. */
export interface PinnedPayment {
  readonly to: string;
  readonly asset: string;
  readonly amount: string;
  readonly issuer?: string | null | undefined;
  readonly contract?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly memo?: string | null | undefined;
  /** When the record was made; an older payment is unrelated. */
  readonly made?: { readonly at: string; readonly network: Network } | undefined;
}

/**
 * Money that reached an address. A token whose name is not pinned is identified by its contract in `asset`, and its
 * amount is in the token's smallest unit: the contract's own metadata proves nothing.
 */
export type ObservedPayment = ObservedTransaction['payments'][number];

/**
 * One source's result for one transaction. A source that cannot be reached or sends nonsense throws instead. `height`
 * is how far its chain reaches: one that lags behind a block has no information about its transactions.
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
  /** `pinned` only provides the name and decimals of its token; nothing is compared here. */
  lookUp(txHash: string, pinned: PinnedPayment, signal: AbortSignal): Promise<SourceFinding>;
  tip(signal: AbortSignal): Promise<ChainTip>;
}

/** One exchange with a source, bounded in time and size; throws without a complete response. */
export type ChainFetch = (
  request: { url: string; method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
  signal: AbortSignal,
) => Promise<{ status: number; body: Uint8Array }>;
