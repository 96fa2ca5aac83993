import { ADDRESS_FORMS, type MemoRule, maxAmount, NETWORK_TABLE, type Network } from '@payassent/protocol';
import type { NetworkInfo } from '@payassent/protocol/records';

/** The published table of networks. */
export function networkInfos(enabled: readonly Network[]): NetworkInfo[] {
  return NETWORK_TABLE.map((row) => ({
    network: row.network,
    caip2: row.caip2,
    rails: [...row.rails],
    native_asset: row.nativeRail === undefined ? null : row.nativeAsset,
    decimals: row.decimals,
    address_form: ADDRESS_FORMS[row.addressKind].replaceAll('`', ''),
    memo: memoOf(row.memo),
    max_amount: maxAmount(row.network, row.decimals),
    explorer: row.explorer.replace('*', '{tx_hash}'),
    is_testnet: row.isTestnet,
    enabled: enabled.includes(row.network),
  }));
}

function memoOf(rule: MemoRule): NetworkInfo['memo'] {
  switch (rule.kind) {
    case 'none':
      return null;
    case 'text':
      return { kind: 'text', max_bytes: rule.maxBytes };
    case 'number':
      return { kind: 'number', max_bytes: rule.bits / 8 };
  }
}
