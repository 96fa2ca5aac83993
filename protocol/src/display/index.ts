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
  looksLikeName,
  makesClaims,
  NAME_NOT_SHOWN,
  nameFault,
  shownName,
} from './names.ts';
export { firstText, PURPOSE_MEMBERS, purposeOf } from './purpose.ts';
export { findRiskyText } from './text-risk.ts';
