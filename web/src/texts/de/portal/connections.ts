import type * as english from '../../portal/connections.ts';
import type { Translated } from '../translated.ts';

export const connections: Translated<typeof english.connections> = {
  title: 'Verbindungen',
  lead: 'Kunden, die Ihre Agenten mit ihren Wallets verbunden haben. Nur der Kunde kann pausieren oder fortsetzen; widerrufen können eine Verbindung Sie und der Kunde.',
  empty: {
    title: 'Noch ist kein Kunde verbunden',
    text: 'Ein Kunde erstellt in der Wallet einen Connect Key und gibt ihn Ihrem Agenten, oder er gibt den Kopplungscode des Agenten ein. Was er freigibt, erscheint hier.',
    action: 'Ihre Agenten ansehen',
  },
  table: 'Verbindungen',
  heads: { user: 'Kunde', agent: 'Agent', status: 'Status', scopes: 'Darf', since: 'Seit' },
  userSide: 'Wallet-Verbindung',
  scopes: {
    'payment.requests.create': 'um Zahlungen bitten',
    'payment.requests.read': 'seine Zahlungsanfragen lesen',
    'transaction_contexts.create': 'beschreiben, wofür eine Zahlung ist',
    'transaction_contexts.read': 'seine Beschreibungen lesen',
  },
  statusMeaning: {
    active: 'Der Agent darf anfragen, und der Kunde entscheidet über jede Anfrage.',
    paused:
      'Der Kunde hat den Agenten pausiert: Er kann keine neuen Anfragen stellen, bis der Kunde ihn fortsetzt.',
    revoked: 'Die Verbindung ist endgültig widerrufen. Das Token des Agenten gilt nicht mehr.',
  },
  facts: {
    id: 'Verbindung',
    agent: 'Agent',
    status: 'Status',
    scopes: 'Der Agent darf',
    merchant: 'Der Kunde sieht',
    domain: 'mit nachgewiesener Domain',
    noDomain: 'keine nachgewiesene Domain',
    created: 'Verbunden',
    changed: 'Letzte Änderung',
  },
  privacy:
    'Der Dienst zeigt Ihnen sonst nichts über den Kunden: keinen Namen, keine Adresse und ein Gerät nur dort, wo es eine Entscheidung signiert hat. Diese Verbindung ist alles, was Ihr Agent und Sie mit ihm teilen.',
  detail: (agent) => `Verbindung von ${agent}`,
  detailTitle: 'Verbindung',
  notFound: {
    title: 'Diese Verbindung steht nicht in Ihrer Liste',
    text: 'Sie gehört vielleicht zu einer anderen Organisation, oder die Adresse ist unvollständig.',
    action: 'Alle Verbindungen',
  },
  requests: 'Zahlungsanfragen dieser Verbindung',
  revoke: {
    action: 'Verbindung widerrufen',
    title: 'Diese Verbindung endgültig widerrufen?',
    text: 'Das Token des Agenten gilt sofort nicht mehr, offene Anfragen werden abgelehnt, und Regeln für automatische Zahlungen enden. Der Kunde müsste sich neu verbinden.',
    confirm: 'Beenden',
  },
};
