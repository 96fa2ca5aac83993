import type { AddressKind } from '../addresses/kinds.ts';
import { describeMemo } from './memo.ts';
import { NETWORK_TABLE } from './table.ts';
import type { NetworkRow } from './types.ts';

/** The forms of addresses, for people; code spans as in Markdown. */
export const ADDRESS_FORMS: Readonly<Record<AddressKind, string>> = {
  stellar: 'StrKey `G…`, muxed `M…`',
  evm: 'hex `0x…`, EIP-55',
  solana: 'base58, 32 bytes (no checksum)',
  bitcoin: '`1…`, `3…`, `bc1q…`, `bc1p…`',
  litecoin: '`L…`, `M…` (not the old form `3…`, which is also a Bitcoin address), `ltc1…`',
  dogecoin: '`D…`, `9…`, `A…`',
  bitcoin_cash: 'CashAddr `bitcoincash:q…`, `bitcoincash:p…`',
  xrpl: 'classic `r…` (no X-addresses: the tag is the memo)',
  sui: 'hex `0x…`, 64 digits (no checksum)',
  aptos: 'hex `0x…`, 64 digits (no checksum)',
  starknet: 'field element `0x…`, 64 digits, mixed-case checksum when present',
  hedera: '`shard.realm.num`, HIP-15 checksum when present',
  cardano: 'Shelley `addr1…`, Byron `Ae2…`, `DdzFF…`',
  cosmos: 'bech32 `cosmos1…`',
  polkadot: 'SS58 with prefix 0, `1…`',
  ton: 'user-friendly `EQ…`, `UQ…`, raw `0:…`',
  algorand: 'base32, 58 characters',
  tezos: '`tz1…` to `tz4…`, `KT1…`',
  internet_computer: 'account id (64 hex digits) or principal',
  filecoin: '`f1…`, `f2…`, `f3…`, `f410…`',
};

const COLUMNS = [
  'Network',
  'Rail',
  'Asset',
  'Decimals',
  'Chain id',
  'Address form',
  'Memo',
  'Payment URI',
  'CAIP-2',
] as const;

/** The table of networks as Markdown, for the documentation. */
export function renderNetworksTable(): string {
  const lines = NETWORK_TABLE.map((row) => markdownRow(cellsOf(row)));
  return [markdownRow(COLUMNS), markdownRow(COLUMNS.map(() => '---')), ...lines, ''].join('\n');
}

function cellsOf(row: NetworkRow): readonly string[] {
  return [
    `\`${row.network}\``,
    row.rails.map((rail) => `\`${rail}\``).join(', '),
    assetCell(row),
    decimalsCell(row),
    row.chainId?.toString() ?? '–',
    ADDRESS_FORMS[row.addressKind],
    describeMemo(row.memo),
    row.paymentUri?.name ?? '–',
    `\`${row.caip2}\``,
  ];
}

function assetCell(row: NetworkRow): string {
  if (row.nativeRail === undefined) return 'USDC, tokens by contract';
  if (row.addressKind === 'evm') return `${row.nativeAsset}, tokens by contract`;
  if (row.addressKind === 'stellar') return `${row.nativeAsset}, issued assets by issuer`;
  return row.nativeAsset;
}

function decimalsCell(row: NetworkRow): string {
  if (row.nativeRail === undefined) return '6, tokens as stated';
  return row.addressKind === 'evm' ? `${row.decimals}, tokens as stated` : row.decimals.toString();
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
