import {
  isNativeAsset,
  isNetwork,
  type Network,
  type NetworkRow,
  networkRow,
  requestMemoProblem,
} from '@payassent/protocol';
import type { PayeeFacts, RecipientVersion } from '@payassent/sdk';

/** The content of the form, as text. Network and asset determine which of it is sent. */
export interface PayeeDraft {
  network: Network;
  /** The symbol of an asset that needs no description, or a token that has to be described. */
  assetChoice: string;
  code: string;
  issuer: string;
  contract: string;
  decimals: string;
  address: string;
  memo: string;
  /** Each request gets its own memo. */
  hasOwnMemos: boolean;
}

/** The choice "another asset"; no asset has this symbol. */
export const OTHER_ASSET = '…';

const BASE_USDC = 'USDC';

export const EMPTY_DRAFT: PayeeDraft = {
  network: 'stellar_testnet',
  assetChoice: 'XLM',
  code: '',
  issuer: '',
  contract: '',
  decimals: '',
  address: '',
  memo: '',
  hasOwnMemos: false,
};

/** Assets of a network that need no description. */
export function plainAssets(row: NetworkRow): string[] {
  if (row.nativeRail !== undefined) return [row.nativeAsset];
  return row.rails.includes('base_usdc') ? [BASE_USDC] : [];
}

export type OtherAsset = 'issued' | 'token' | undefined;

/** What else can be paid on a network, which determines what the form must request about it. */
export function otherAssets(row: NetworkRow): OtherAsset {
  if (row.addressKind === 'stellar') return 'issued';
  return row.rails.includes('evm_erc20') ? 'token' : undefined;
}

export function withNetwork(draft: PayeeDraft, value: string): PayeeDraft {
  if (!isNetwork(value)) return draft;
  const [first = OTHER_ASSET] = plainAssets(networkRow(value));
  return {
    ...draft,
    network: value,
    assetChoice: first,
    code: '',
    issuer: '',
    contract: '',
    decimals: '',
    memo: '',
    hasOwnMemos: false,
  };
}

export function draftOf(version: RecipientVersion): PayeeDraft {
  const isPlain =
    isNativeAsset(version.network, version.asset) ||
    plainAssets(networkRow(version.network)).includes(version.asset);
  return {
    network: version.network,
    assetChoice: isPlain ? version.asset : OTHER_ASSET,
    code: isPlain ? '' : version.asset,
    issuer: version.issuer ?? '',
    contract: isPlain ? '' : (version.contract ?? ''),
    decimals: isPlain || version.contract === null ? '' : String(version.decimals ?? ''),
    address: version.address,
    memo: version.memo ?? '',
    hasOwnMemos: version.memo_policy === 'request',
  };
}

/** As chosen, where the network and the address allow a memo. */
export function hasOwnMemos({ hasOwnMemos: isChosen, network, address }: PayeeDraft): boolean {
  return isChosen && requestMemoProblem(networkRow(network), address.trim()) === undefined;
}

/** The input for the API; leaves out what does not apply to the network. */
export function factsOf(draft: PayeeDraft): PayeeFacts {
  const row = networkRow(draft.network);
  const isOther = draft.assetChoice === OTHER_ASSET;
  const other = isOther ? otherAssets(row) : undefined;
  const memo = row.memo.kind === 'none' || hasOwnMemos(draft) ? '' : draft.memo;
  return {
    network: draft.network,
    asset: isOther ? draft.code.trim() : draft.assetChoice,
    address: draft.address.trim(),
    ...(memo === '' ? {} : { memo }),
    ...(hasOwnMemos(draft) ? { memo_policy: 'request' } : {}),
    ...(other === 'issued' && draft.issuer.trim() !== '' ? { issuer: draft.issuer.trim() } : {}),
    ...(other === 'token' && draft.contract.trim() !== '' ? { contract: draft.contract.trim() } : {}),
    ...(other === 'token' && /^\d+$/.test(draft.decimals) ? { decimals: Number(draft.decimals) } : {}),
  };
}
