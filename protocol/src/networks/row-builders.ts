import type { AddressKind } from '../addresses/kinds.ts';
import type { Network, Rail } from '../enumerations.ts';
import { type MemoRule, NO_MEMO } from './memo.ts';
import { erc681 } from './payment-uri.ts';
import type { NetworkRow, PaymentUriStandard } from './types.ts';

interface EvmFacts {
  readonly title: string;
  readonly chainId: number;
  readonly nativeRail: Rail;
  /** Origin of an explorer with the usual path `/tx/`. */
  readonly explorer: string;
}

interface LedgerFacts {
  readonly title: string;
  readonly caip2: string;
  readonly rail: Rail;
  readonly decimals: number;
  readonly addressKind: AddressKind;
  readonly explorer: NetworkRow['explorer'];
  readonly memo?: MemoRule;
  readonly chainId?: number;
  readonly paymentUri?: PaymentUriStandard;
  readonly isTestnet?: boolean;
}

const EVM_DECIMALS = 18;

/** The symbol of a network's own coin is the last part of its rail in upper case. */
function assetOfRail(rail: Rail): string {
  return rail.slice(rail.lastIndexOf('_') + 1).toUpperCase();
}

export function evmRow(network: Network, facts: EvmFacts): NetworkRow {
  return {
    network,
    title: facts.title,
    isTestnet: false,
    caip2: `eip155:${facts.chainId}`,
    rails: [facts.nativeRail, 'evm_erc20'],
    nativeRail: facts.nativeRail,
    nativeAsset: assetOfRail(facts.nativeRail),
    decimals: EVM_DECIMALS,
    chainId: facts.chainId,
    addressKind: 'evm',
    memo: NO_MEMO,
    explorer: `${facts.explorer}/tx/*`,
    paymentUri: erc681(facts.chainId),
  };
}

export function ledgerRow(network: Network, facts: LedgerFacts): NetworkRow {
  return {
    network,
    title: facts.title,
    isTestnet: facts.isTestnet ?? false,
    caip2: facts.caip2,
    rails: [facts.rail],
    nativeRail: facts.rail,
    nativeAsset: assetOfRail(facts.rail),
    decimals: facts.decimals,
    chainId: facts.chainId,
    addressKind: facts.addressKind,
    memo: facts.memo ?? NO_MEMO,
    explorer: facts.explorer,
    paymentUri: facts.paymentUri,
  };
}
