export { findBannedKeys } from './banned-keys.ts';
export {
  type AllowedAddresses,
  allowAddresses,
  type FoundAddress,
  findForeignAddresses,
  mayShowAddress,
} from './foreign-addresses.ts';
export { checkFreeForm, type FreeFormRules, type JsonMeasure, measureJson } from './free-form.ts';
export { findRiskyText } from './text-risk.ts';
