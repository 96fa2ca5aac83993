import { findForeignAddresses, findRiskyText, type Issue } from '@payassent/protocol';

const NO_ADDRESS: ReadonlySet<string> = new Set();

/** Not blank, and nothing in it that misleads the person who reads it. Length is the schema's matter. */
export function nameIssues(name: string | undefined): Issue[] {
  if (name === undefined) return [];
  if (name.trim() === '')
    return [{ field: 'name', code: 'invalid_format', message: 'name must not be blank.' }];
  return textRiskIssues(name, 'name');
}

/** Wallets show this text beside a payment: no invisible characters, and no address, which could pass for the payee. */
export function textRiskIssues(text: string | undefined, field: string): Issue[] {
  if (text === undefined) return [];
  return [...findRiskyText(text, field), ...findForeignAddresses(text, field, NO_ADDRESS)];
}
