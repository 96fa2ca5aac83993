import { checker, needPlainText } from '../addresses/checker.ts';
import { checkAddressOfKind } from '../addresses/kinds.ts';
import { readStellarAccount } from '../addresses/stellar.ts';
import type { Rail } from '../enumerations.ts';
import type { IssueCode } from '../issues.ts';
import type { NetworkRow } from './types.ts';

/** Circle's USDC on Base, the only token with a dedicated rail. */
export const BASE_USDC_CONTRACT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const BASE_USDC_ASSET = 'USDC';
const BASE_USDC_DECIMALS = 6;
const STELLAR_ASSET_CODE = /^[A-Za-z0-9]{1,12}$/;
/** Letters, digits, signs and punctuation of any script, but nothing invisible and no spaces. */
const TOKEN_SYMBOL = /^[\p{L}\p{N}\p{S}\p{P}]+$/u;
const LONGEST_TOKEN_SYMBOL = 32;
const LARGEST_DECIMALS = 255;

const checkIssuer = checker((text) => {
  needPlainText(text);
  return readStellarAccount(text);
});

interface AssetInput {
  readonly asset: string;
  readonly contract: string | undefined;
  readonly issuer: string | undefined;
  readonly decimals: number | undefined;
}

interface AssetFacts {
  readonly rail: Rail;
  readonly contract: string | null;
  readonly issuer: string | null;
  readonly decimals: number;
}

export type Report = (field: string, code: IssueCode, message: string) => void;

/** Which rail an asset takes on a network; undefined, with at least one issue reported, when it takes none. */
export function deriveAsset(row: NetworkRow, input: AssetInput, report: Report): AssetFacts | undefined {
  if (row.addressKind === 'evm') return deriveOnEvm(row, input, report);
  if (input.contract !== undefined) {
    report(
      'contract',
      'unsupported_asset',
      `${row.title} has no token contracts here; leave the contract out.`,
    );
  }
  if (row.addressKind === 'stellar') return deriveOnStellar(row, input, report);
  refuseIssuer(row, input, report);
  return nativeFacts(row, input, report);
}

function nativeFacts(row: NetworkRow, input: AssetInput, report: Report): AssetFacts | undefined {
  if (row.nativeRail !== undefined && input.asset === row.nativeAsset) {
    checkDecimals(input, row.decimals, report);
    return { rail: row.nativeRail, contract: null, issuer: null, decimals: row.decimals };
  }
  report('asset', 'unsupported_asset', unsupportedMessage(row));
  return undefined;
}

function unsupportedMessage(row: NetworkRow): string {
  if (row.nativeRail === undefined) {
    return `On ${row.title} only ${BASE_USDC_ASSET}, or a token with its contract, can be paid.`;
  }
  const tokenHint = row.addressKind === 'evm' ? ', or a token together with its contract' : '';
  return `On ${row.title} only ${row.nativeAsset} can be paid${tokenHint}; upper and lower case count.`;
}

function deriveOnStellar(row: NetworkRow, input: AssetInput, report: Report): AssetFacts | undefined {
  checkDecimals(input, row.decimals, report);
  const facts = { rail: 'stellar_xlm', contract: null, decimals: row.decimals } as const;
  if (input.asset === row.nativeAsset) {
    if (input.issuer === undefined) return { ...facts, issuer: null };
    report(
      'issuer',
      'unsupported_asset',
      'XLM has no issuer; leave it out, or name the issued asset you mean.',
    );
    return undefined;
  }
  if (!STELLAR_ASSET_CODE.test(input.asset)) {
    report('asset', 'invalid_format', 'A Stellar asset code has 1 to 12 letters A–Z, a–z or digits.');
  }
  if (input.issuer === undefined) {
    report(
      'issuer',
      'required',
      'Every Stellar asset but XLM (in upper case) needs the account that issues it.',
    );
    return undefined;
  }
  const issuer = checkIssuer(input.issuer);
  if (issuer.ok) return { ...facts, issuer: issuer.address };
  report('issuer', 'address_invalid', issuer.reason);
  return undefined;
}

function deriveOnEvm(row: NetworkRow, input: AssetInput, report: Report): AssetFacts | undefined {
  refuseIssuer(row, input, report);
  const contract = checkContract(input.contract, report);
  if (contract === 'invalid') return undefined;
  if (row.network === 'base_mainnet' && input.asset === BASE_USDC_ASSET) {
    return deriveBaseUsdc(contract, input, report);
  }
  if (contract === undefined) return nativeFacts(row, input, report);
  return deriveToken(row, contract, input, report);
}

function deriveBaseUsdc(
  contract: string | undefined,
  input: AssetInput,
  report: Report,
): AssetFacts | undefined {
  checkDecimals(input, BASE_USDC_DECIMALS, report);
  if (contract !== undefined && contract !== BASE_USDC_CONTRACT) {
    report(
      'contract',
      'unsupported_asset',
      `This is not the USDC contract on Base, which is ${BASE_USDC_CONTRACT}; leave the contract out.`,
    );
    return undefined;
  }
  return { rail: 'base_usdc', contract: BASE_USDC_CONTRACT, issuer: null, decimals: BASE_USDC_DECIMALS };
}

function deriveToken(
  row: NetworkRow,
  contract: string,
  input: AssetInput,
  report: Report,
): AssetFacts | undefined {
  if (input.asset === row.nativeAsset) {
    report(
      'asset',
      'unsupported_asset',
      `${row.nativeAsset} is the coin of ${row.title} itself and has no contract; a token cannot go by its name.`,
    );
  } else if (row.network === 'base_mainnet' && contract === BASE_USDC_CONTRACT) {
    report('asset', 'unsupported_asset', 'This contract is USDC on Base; name the asset USDC.');
  } else if (Array.from(input.asset).length > LONGEST_TOKEN_SYMBOL) {
    report('asset', 'too_long', `A token symbol has at most ${LONGEST_TOKEN_SYMBOL} characters.`);
  } else if (!TOKEN_SYMBOL.test(input.asset)) {
    report('asset', 'invalid_format', 'A token symbol has no spaces and no invisible characters.');
  }
  const { decimals } = input;
  if (decimals === undefined) {
    report('decimals', 'required', 'A token needs the number of decimals that its contract declares.');
    return undefined;
  }
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > LARGEST_DECIMALS) {
    report('decimals', 'out_of_range', `Decimals are a whole number from 0 to ${LARGEST_DECIMALS}.`);
    return undefined;
  }
  return { rail: 'evm_erc20', contract, issuer: null, decimals };
}

function checkContract(text: string | undefined, report: Report): string | undefined | 'invalid' {
  if (text === undefined) return undefined;
  const check = checkAddressOfKind('evm', text);
  if (check.ok) return check.address;
  report('contract', 'address_invalid', check.reason);
  return 'invalid';
}

function refuseIssuer(row: NetworkRow, input: AssetInput, report: Report): void {
  if (input.issuer === undefined) return;
  report('issuer', 'unsupported_asset', `Assets on ${row.title} have no issuer here; leave it out.`);
}

function checkDecimals(input: AssetInput, decimals: number, report: Report): void {
  if (input.decimals === undefined || input.decimals === decimals) return;
  report(
    'decimals',
    'fact_mismatch',
    `The asset has ${decimals} decimals here; leave the field out or send that.`,
  );
}
