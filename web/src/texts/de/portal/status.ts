import type * as english from '../../portal/status.ts';
import type { Translated } from '../translated.ts';

export const statusWords: Translated<typeof english.statusWords> = {
  pending: 'Wartet',
  signed: 'Freigegeben und signiert',
  broadcasted: 'An das Netzwerk gesendet',
  confirmed: 'Als gezahlt gemeldet',
  failed: 'Fehlgeschlagen',
  expired: 'Abgelaufen',
  rejected: 'Abgelehnt',
  cancelled: 'Zurückgezogen',
  intent_created: 'Beabsichtigt',
  active: 'Aktiv',
  paused: 'Pausiert',
  revoked: 'Widerrufen',
  disabled: 'Abgeschaltet',
  pending_verification: 'Nicht bestätigt',
  delivered: 'Zugestellt',
  draft: 'Entwurf, ohne Zustimmung',
  invited: 'Eingeladen',
  approved: 'Genehmigt',
};

export const lists: Translated<typeof english.lists> = {
  newer: 'Neuere',
  older: 'Ältere',
  newest: 'Neueste',
  pages: 'Seiten der Liste',
  page: (number) => `Seite ${number}`,
  anyStatus: 'Jeder Status',
  noMatch: {
    title: 'Kein Treffer',
    text: 'Nichts passt zu Ihrer Auswahl.',
    older: 'Auf dieser Seite passt nichts zu Ihrer Auswahl. Ältere Seiten können mehr enthalten.',
  },
  live: {
    live: 'Live: wird automatisch aktualisiert',
    final: 'Endgültig: Es kann sich nichts mehr ändern',
    lost: 'Nicht aktuell: Der Dienst antwortet nicht. Neuer Versuch …',
  },
  table: (name) => `Tabelle: ${name}`,
};
