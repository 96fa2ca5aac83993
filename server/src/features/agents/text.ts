import { findForeignAddresses, findNameIssues, findRiskyText, type Issue } from '@payassent/protocol';

const NO_ADDRESS: ReadonlySet<string> = new Set();

/** For what only its owner reads, such as a key or a device. Length is the schema's matter. */
export function nameIssues(name: string | undefined): Issue[] {
  if (name === undefined) return [];
  if (name.trim() === '')
    return [{ field: 'name', code: 'invalid_format', message: 'name must not be blank.' }];
  return textRiskIssues(name, 'name');
}

/** For merchants and agents, whose names others read: also nothing that reads as a link or as a proof. */
export function partyNameIssues(name: string | undefined): Issue[] {
  return [...findNameIssues(name, 'name'), ...textRiskIssues(name, 'name')];
}

/** Wallets show this text beside a payment: no invisible characters, and no address, which could pass for the payee. */
export function textRiskIssues(text: string | undefined, field: string): Issue[] {
  if (text === undefined) return [];
  return [...findRiskyText(text, field), ...findForeignAddresses(text, field, NO_ADDRESS)];
}
