import { findForeignAddresses, findRiskyText, type Issue } from '@payassent/protocol';

type OwnAddresses = Partial<Record<'address' | 'contract' | 'issuer', string | null | undefined>>;

/** Invisible characters, and addresses other than the payee's own. */
export function misleadingText(text: string | undefined, field: string, own: OwnAddresses): Issue[] {
  return [...findRiskyText(text, field), ...foreignAddresses(text, field, own)];
}

export function foreignAddresses(text: string | undefined, field: string, own: OwnAddresses): Issue[] {
  if (text === undefined) return [];
  const addresses = [own.address, own.contract, own.issuer].filter((entry) => typeof entry === 'string');
  return findForeignAddresses(text, field, new Set(addresses));
}
