import type { AddressKind } from '../addresses/kinds.ts';
import type { Network, Rail } from '../enumerations.ts';
import type { MemoRule } from './memo.ts';

/** What a payment link needs to know; the same facts that are pinned on a payment request. */
export interface PaymentUriInput {
  readonly asset: string;
  readonly address: string;
  readonly amount?: string | null | undefined;
  readonly memo?: string | null | undefined;
  readonly contract?: string | null | undefined;
  readonly issuer?: string | null | undefined;
  readonly decimals: number;
}

/** Undefined when no link can carry every fact: a link that drops the memo would send money astray. */
type PaymentUriBuilder = (input: PaymentUriInput) => string | undefined;

/** A link taken apart at its question mark and its parameters. */
export interface PaymentUriParts {
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

export type NamedAsset = Pick<PaymentUriInput, 'asset' | 'decimals'>;

export interface PaymentUriStandard {
  readonly name: string;
  readonly build: PaymentUriBuilder;
  /** The facts that a link appears to contain. They count only when `build` makes the same link from them. */
  readonly read: (
    parts: PaymentUriParts,
    native: NamedAsset,
    token: NamedAsset | undefined,
  ) => PaymentUriInput;
}

export interface NetworkRow {
  readonly network: Network;
  readonly title: string;
  readonly isTestnet: boolean;
  /** Chain id of CAIP-2, `namespace:reference`. */
  readonly caip2: string;
  /** Every rail that leads through this network. */
  readonly rails: readonly Rail[];
  /** The rail of the network's own coin; undefined where the specification has none (Base). */
  readonly nativeRail: Rail | undefined;
  readonly nativeAsset: string;
  readonly decimals: number;
  /** The number that transactions carry: EIP-155 on EVM networks, and Aptos. */
  readonly chainId: number | undefined;
  readonly addressKind: AddressKind;
  readonly memo: MemoRule;
  /** The address of a transaction in a block explorer, with `*` for its hash. */
  readonly explorer: string;
  readonly paymentUri: PaymentUriStandard | undefined;
}
