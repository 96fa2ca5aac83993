import type * as english from '../../wallet/inbox.ts';
import type { Translated } from '../translated.ts';

export const inbox: Translated<typeof english.inbox> = {
  title: 'Eingang',
  waiting: 'Wartet auf Sie',
  recent: 'Entschieden und unterwegs',
  emptyTitle: 'Keine offenen Anfragen',
  empty:
    'Wenn ein verbundener Agent um eine Zahlung bittet, erscheint sie hier automatisch. Sie sehen Zahlungsempfänger, Betrag und Adresse so, wie sie festgehalten wurden, bevor Sie entscheiden.',
  emptyAction: 'Agenten verbinden',
  live: 'Aktuell. Neue Anfragen erscheinen automatisch.',
  lost: 'Der Dienst ist nicht erreichbar. Die Anzeige kann veraltet sein; die Seite versucht es automatisch weiter.',
  invitations: (count) =>
    count === 1 ? 'Ein Agent bittet um eine Verbindung.' : `${count} Agenten bitten um eine Verbindung.`,
  reviewInvitations: 'Prüfen',
  anAgent: 'Ein Agent',
  policies: (count) =>
    count === 1 ? 'Ihnen wird eine Regel vorgeschlagen.' : `Ihnen werden ${count} Regeln vorgeschlagen.`,
  bareAddress: 'Adresse ohne bestätigten Zahlungsempfänger',
  review: 'Prüfen',
  open: 'Öffnen',
  expires: 'läuft ab',
  expiresOn: (day) => `Läuft ab: ${day}`,
  more: 'Mehr zeigen',
  brokenRow:
    'Eine Anfrage kann nicht angezeigt werden. Laden Sie die Seite neu; hilft das nicht, informieren Sie den Betreiber.',
};

export const outcomes: Translated<typeof english.outcomes> = {
  states: {
    pending: 'wartet',
    signed: 'freigegeben',
    broadcasted: 'gesendet',
    paid: 'gezahlt',
    reported: 'als gezahlt gemeldet',
    contradicted: 'nicht wie gemeldet',
    failed: 'fehlgeschlagen',
    expired: 'abgelaufen',
    rejected: 'abgelehnt',
    cancelled: 'zurückgezogen',
  },
  titles: {
    pending: 'Zahlung prüfen',
    signed: 'Freigegeben',
    broadcasted: 'Gesendet',
    paid: 'Gezahlt',
    reported: 'Sie haben sie als gezahlt gemeldet',
    contradicted: 'Nicht wie gemeldet gezahlt',
    failed: 'Zahlung fehlgeschlagen',
    expired: 'Abgelaufen',
    rejected: 'Abgelehnt',
    cancelled: 'Zurückgezogen',
  },
};
