import type * as english from '../../portal/connections.ts';
import type { Translated } from '../translated.ts';

export const connections: Translated<typeof english.connections> = {
  title: 'Verbindungen',
  lead: 'Nutzer, die Ihre Agenten mit ihren Wallets verbunden haben. Nur der Nutzer kann pausieren oder fortsetzen; beenden können eine Verbindung Sie und der Nutzer.',
  empty: {
    title: 'Noch ist niemand verbunden',
    text: 'Ein Nutzer erstellt in der Wallet einen Connect Key und gibt ihn Ihrem Agenten, oder er gibt den Kopplungscode des Agenten ein. Was er freigibt, erscheint hier.',
    action: 'Ihre Agenten ansehen',
  },
  table: 'Verbindungen',
  heads: { user: 'Nutzerseite', agent: 'Agent', status: 'Status', scopes: 'Darf', since: 'Seit' },
  userSide: 'Wallet-Verbindung',
  scopes: {
    'payment.requests.create': 'um Zahlungen bitten',
    'payment.requests.read': 'seine Zahlungsanfragen lesen',
    'transaction_contexts.create': 'beschreiben, wofür eine Zahlung ist',
    'transaction_contexts.read': 'seine Beschreibungen lesen',
  },
  statusMeaning: {
    active: 'Der Agent darf anfragen, und der Nutzer entscheidet über jede Anfrage.',
    paused:
      'Der Nutzer hat den Agenten pausiert: Er kann um nichts Neues bitten, bis der Nutzer ihn fortsetzt.',
    revoked: 'Die Verbindung ist endgültig beendet. Das Token des Agenten gilt nicht mehr.',
  },
  facts: {
    id: 'Verbindung',
    agent: 'Agent',
    status: 'Status',
    scopes: 'Der Agent darf',
    merchant: 'Der Nutzer sieht',
    domain: 'mit nachgewiesener Domain',
    noDomain: 'keine nachgewiesene Domain',
    created: 'Verbunden',
    changed: 'Letzte Änderung',
  },
  privacy:
    'Der Dienst sagt Ihnen sonst nichts über den Nutzer: keinen Namen, kein Gerät, keine Adresse. Diese Verbindung ist alles, was Ihr Agent und Sie mit ihm teilen.',
  detail: (agent) => `Verbindung von ${agent}`,
  detailTitle: 'Verbindung',
  notFound: {
    title: 'Diese Verbindung steht nicht in Ihrer Liste',
    text: 'Sie gehört vielleicht zu einer anderen Organisation, oder die Adresse ist unvollständig.',
    action: 'Alle Verbindungen',
  },
  requests: 'Zahlungsanfragen dieser Verbindung',
  revoke: {
    action: 'Verbindung beenden',
    title: 'Diese Verbindung endgültig beenden?',
    text: 'Das Token des Agenten gilt sofort nicht mehr, wartende Anfragen werden abgelehnt, und Regeln für automatische Zahlungen enden. Der Nutzer müsste sich neu verbinden.',
    confirm: 'Beenden',
  },
};
