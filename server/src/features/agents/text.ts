import { findForeignAddresses, findNameIssues, findRiskyText, type Issue } from '@payassent/protocol';

const NO_ADDRESS: ReadonlySet<string> = new Set();

/** For what only its owner reads, such as a key or a device. The schema limits the length. */
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

/**
 * Wallets show this text next to a payment: no invisible characters, and no address, which could pass for the payee.
 */
export function textRiskIssues(text: string | undefined, field: string): Issue[] {
  if (text === undefined) return [];
  return [...findRiskyText(text, field), ...findForeignAddresses(text, field, NO_ADDRESS)];
}

/** The database and the published form share these years; outside them one of the two cannot represent the time. */
const EARLIEST = Date.parse('1970-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A time as it was sent, with any offset, or undefined when it is absent or cannot be represented. */
export function parseMoment(text: string | undefined): Date | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return time >= EARLIEST && time <= LATEST ? new Date(time) : undefined;
}

/** Values that the schema's format accepts and that are not usable, such as a leap second. */
export function momentIssues(text: string | undefined, field: string): Issue[] {
  if (text === undefined || parseMoment(text)) return [];
  return Number.isNaN(Date.parse(text))
    ? [{ field, code: 'invalid_format', message: `${field} must be a time such as 2027-01-31T09:30:00Z.` }]
    : [{ field, code: 'out_of_range', message: `${field} must be between 1970 and 9999.` }];
}
