export {
  type DerivedFacts,
  deriveFacts,
  type FactsInput,
} from './derive.ts';
export { BASE_USDC_CONTRACT } from './derive-asset.ts';
export { exceedsNetworkMaximum, maxAmount } from './max-amount.ts';
export { checkMemo, describeMemo, isHashMemo, type MemoRule } from './memo.ts';
export { parsePaymentUri } from './read-payment-uri.ts';
export { ADDRESS_FORMS, renderNetworksTable } from './render.ts';
export {
  hasUniqueRequestMemo,
  type MemoSubject,
  memoTypeOf,
  requestMemo,
  requestMemoProblem,
} from './request-memo.ts';
export { signSep7, verifySep7 } from './sep7-signature.ts';
export {
  explorerUrl,
  isNativeAsset,
  NETWORK_TABLE,
  networkRow,
  networksOfRail,
  paymentUri,
} from './table.ts';
export { canonicalTxHash, type TxHashForm, txHashForm, txHashForms } from './tx-hash.ts';
export type { NetworkRow, PaymentUriInput, PaymentUriStandard } from './types.ts';
