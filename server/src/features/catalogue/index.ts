import {
  ADDRESS_FORMS,
  AUDIT_EVENT_TYPES,
  ERROR_CODES,
  ERRORS,
  type MemoRule,
  maxAmount,
  NETWORK_TABLE,
  type Network,
  REJECTION_REASONS,
} from '@payassent/protocol';
import { listErrors, listNetworks } from '@payassent/protocol/api';
import type { NetworkInfo } from '@payassent/protocol/records';
import { implement } from '../../http/route.ts';
import type { Feature } from '../feature.ts';

const errors = ERROR_CODES.map((code) => {
  const entry = ERRORS[code];
  return {
    code,
    http_status: entry.httpStatus,
    meaning: entry.meaning,
    recovery: entry.recovery,
    safe_to_retry: entry.safeToRetry,
  };
});

/** The published lists: errors, audit events and webhook types, and networks. */
export const catalogueFeature = (): Feature => ({
  name: 'catalogue',
  routes: [
    implement(listErrors, {
      run: async () => ({
        errors,
        reason_codes: [...REJECTION_REASONS],
        audit_event_types: [...AUDIT_EVENT_TYPES],
      }),
    }),
    implement(listNetworks, {
      run: async ({ context }) => ({ networks: networkInfos(context.config.enabledNetworks) }),
    }),
  ],
});

/** The published table of networks. */
function networkInfos(enabled: readonly Network[]): NetworkInfo[] {
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
