import { type ApprovalAct, type Language, NAME_NOT_SHOWN, type OperatorRole } from '@payassent/protocol';
import { type Fact, type FactName, mailName } from '../../notices/queue.ts';

/** The same words in every language of the pages: a missing translation is a type error. */
export type InEach<Words> = Readonly<Record<Language, Words>>;

export const ROLES: Readonly<Record<OperatorRole, InEach<string>>> = {
  owner: { en: 'owner', de: 'Inhaber' },
  developer: { en: 'developer', de: 'Entwickler' },
  viewer: { en: 'viewer', de: 'Betrachter' },
};

const ACTS: Readonly<Record<ApprovalAct, InEach<string>>> = {
  'recipient.activate': { en: 'activate a payee', de: 'Zahlungsempfänger aktivieren' },
  'recipient.archive': { en: 'archive a payee', de: 'Zahlungsempfänger archivieren' },
  'operator.invite': { en: 'invite a team member', de: 'Teammitglied einladen' },
  'operator.change_role': { en: 'change a role', de: 'Rolle ändern' },
  'operator.remove': { en: 'remove a team member', de: 'Teammitglied entfernen' },
  'merchant.four_eyes_off': {
    en: 'no longer require two owners',
    de: 'Nicht länger zwei Inhaber verlangen',
  },
  'domain.delete': { en: 'delete a domain', de: 'Domain löschen' },
};

const PROOFS = {
  payee: {
    en: 'this very payee, named by the domain',
    de: 'genau diesen Zahlungsempfänger, von der Domain genannt',
  },
  domain: { en: 'the domain alone', de: 'die Domain allein' },
};

const YES_OR_NO = { true: { en: 'yes', de: 'ja' }, false: { en: 'no', de: 'nein' } };

const FACT_NAMES: Readonly<Record<FactName, InEach<string>>> = {
  Address: { en: 'Address', de: 'Adresse' },
  Agent: { en: 'Agent', de: 'Agent' },
  'API key': { en: 'API key', de: 'API-Schlüssel' },
  Approval: { en: 'Approval', de: 'Antrag' },
  Asset: { en: 'Asset', de: 'Asset' },
  Browser: { en: 'Browser', de: 'Browser' },
  'Cancelled by': { en: 'Cancelled by', de: 'Abgebrochen von' },
  Change: { en: 'Change', de: 'Änderung' },
  'Changed by': { en: 'Changed by', de: 'Geändert von' },
  'Confirmed by': { en: 'Confirmed by', de: 'Bestätigt von' },
  'Decided by': { en: 'Decided by', de: 'Entschieden von' },
  Domain: { en: 'Domain', de: 'Domain' },
  'Effective from': { en: 'Effective from', de: 'Wirksam ab' },
  Endpoint: { en: 'Endpoint', de: 'Endpunkt' },
  Expected: { en: 'Expected', de: 'Erwartet' },
  File: { en: 'File', de: 'Datei' },
  Host: { en: 'Host', de: 'Host' },
  'Invited by': { en: 'Invited by', de: 'Eingeladen von' },
  Key: { en: 'Key', de: 'Schlüssel' },
  Memo: { en: 'Memo', de: 'Memo' },
  Name: { en: 'Name', de: 'Name' },
  Network: { en: 'Network', de: 'Netzwerk' },
  'Network address': { en: 'Network address', de: 'Netzwerkadresse' },
  Operator: { en: 'Operator', de: 'Teammitglied' },
  Organization: { en: 'Organization', de: 'Organisation' },
  Passkey: { en: 'Passkey', de: 'Passkey' },
  'Passkeys again from': { en: 'Passkeys again from', de: 'Passkeys wieder ab' },
  Payee: { en: 'Payee', de: 'Zahlungsempfänger' },
  'Previous host': { en: 'Previous host', de: 'Bisheriger Host' },
  'Previous role': { en: 'Previous role', de: 'Bisherige Rolle' },
  'Proof of': { en: 'Proof of', de: 'Nachweis für' },
  'Proved by': { en: 'Proved by', de: 'Nachgewiesen durch' },
  Recipient: { en: 'Recipient', de: 'Kennung' },
  'Removed by': { en: 'Removed by', de: 'Entfernt von' },
  'Requested by': { en: 'Requested by', de: 'Beantragt von' },
  Role: { en: 'Role', de: 'Rolle' },
  'Suspended payees': { en: 'Suspended payees', de: 'Gesperrte Zahlungsempfänger' },
  'TXT record': { en: 'TXT record', de: 'TXT-Eintrag' },
  Version: { en: 'Version', de: 'Version' },
  address: { en: 'Address', de: 'Adresse' },
  asset: { en: 'Asset', de: 'Asset' },
  binding: { en: 'Proof of', de: 'Nachweis für' },
  domain: { en: 'Domain', de: 'Domain' },
  email: { en: 'Email address', de: 'E-Mail-Adresse' },
  memo: { en: 'Memo', de: 'Memo' },
  name: { en: 'Name', de: 'Name' },
  network: { en: 'Network', de: 'Netzwerk' },
  new_name: { en: 'New name', de: 'Neuer Name' },
  payees: { en: 'Payees', de: 'Zahlungsempfänger' },
  pending: { en: 'Pending requests', de: 'Offene Anfragen' },
  recipient_version_id: { en: 'Version', de: 'Version' },
  require_payee_binding: { en: 'Records of payees required', de: 'Einträge für Zahlungsempfänger verlangt' },
  role: { en: 'Role', de: 'Rolle' },
};

/** Values that are words. */
const FACT_VALUES: { readonly [Name in FactName]?: Readonly<Record<string, InEach<string>>> } = {
  Browser: { unknown: { en: 'unknown', de: 'unbekannt' } },
  Change: ACTS,
  'Previous role': ROLES,
  'Proof of': PROOFS,
  Role: ROLES,
  binding: PROOFS,
  pending: {
    keep: { en: 'are kept', de: 'bleiben bestehen' },
    reject: { en: 'are rejected', de: 'werden abgelehnt' },
  },
  require_payee_binding: YES_OR_NO,
  role: ROLES,
};

/** Values that are times. */
const FACT_TIMES: ReadonlySet<FactName> = new Set(['Effective from', 'Passkeys again from']);

/** A mail's details, as rows of a table. Details queued by an older or newer release are shown as they are. */
export function factRows(facts: readonly Fact[], language: Language): [name: string, value: string][] {
  return facts.map(([name, value]) => [
    FACT_NAMES[name]?.[language] ?? name,
    FACT_TIMES.has(name) ? readableTime(new Date(value), language) : wordsFor(name, value, language),
  ]);
}

function wordsFor(name: FactName, value: string, language: Language): string {
  if (value.startsWith(NAME_NOT_SHOWN)) return value.replace(NAME_NOT_SHOWN, NOT_SHOWN[language]);
  return FACT_VALUES[name]?.[value]?.[language] ?? value;
}

const NOT_SHOWN: InEach<string> = { en: NAME_NOT_SHOWN, de: '(Name nicht angezeigt)' };

/** A name chosen by people. */
export function quotedName(name: string, language: Language): string {
  const quoted = mailName(name);
  return quoted === NAME_NOT_SHOWN ? NOT_SHOWN[language] : quoted;
}

const LOCALES: InEach<string> = { en: 'en-GB', de: 'de-DE' };

export function readableTime(time: Date, language: Language): string {
  const part = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[language], { ...style, timeZone: 'UTC' }).format(time);
  const [day, clock] = [part({ dateStyle: 'long' }), part({ timeStyle: 'short' })];
  return { en: `${clock} UTC on ${day}`, de: `${day} um ${clock} Uhr UTC` }[language];
}

export function readableCount(count: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(count);
}
