export { findBannedKeys } from './banned-keys.ts';
export {
  type AllowedAddresses,
  allowAddresses,
  type FoundAddress,
  findForeignAddresses,
  mayShowAddress,
} from './foreign-addresses.ts';
export { checkFreeForm, measureJson } from './free-form.ts';
export { foldCase } from './name-words.ts';
export {
  findNameIssues,
  makesClaims,
  NAME_NOT_SHOWN,
  nameFault,
  shownName,
} from './names.ts';
export { findRiskyText } from './text-risk.ts';
