import type * as english from '../../portal/access.ts';
import type { Translated } from '../translated.ts';

export const access: Translated<typeof english.access> = {
  title: 'API-Zugang',
  keys: {
    title: 'API-Schlüssel',
    lead: 'Ein Agent verwendet einen API-Schlüssel für Zahlungen innerhalb einer Regel für automatische Zahlungen. Ein Schlüssel gehört zu einem Agenten, funktioniert nur im Testnetzwerk und kann nicht mehr als sein Agent.',
    table: 'API-Schlüssel',
    heads: { name: 'Name', agent: 'Agent', created: 'Erstellt', status: 'Status', actions: 'Aktionen' },
    empty: {
      title: 'Kein API-Schlüssel',
      text: 'Erstellen Sie einen, wenn ein Agent innerhalb einer Regel zahlen soll, der ein Kunde zugestimmt hat. Zahlungsanfragen brauchen keinen API-Schlüssel.',
    },
    noAgents: {
      title: 'Ein API-Schlüssel braucht einen Agenten',
      text: 'Registrieren Sie zuerst einen Agenten. Der Schlüssel handelt dann für diesen Agenten.',
      action: 'Agenten registrieren',
    },
    create: 'Neuer API-Schlüssel',
    name: 'Name',
    nameHint: 'Für Sie, damit Sie später wissen, welchen Schlüssel Sie widerrufen müssen.',
    agent: 'Agent',
    agentHint: 'Der Schlüssel handelt für diesen Agenten und sieht, was ihn betrifft.',
    make: 'Schlüssel erstellen',
    secretName: 'API-Schlüssel',
    send: 'Der Agent sendet ihn im Header x-svc-api-key.',
    done: 'Ich habe ihn gespeichert',
    revoke: {
      action: 'Widerrufen',
      title: 'Diesen Schlüssel widerrufen?',
      text: 'Was ihn noch verwendet, wird ab sofort abgewiesen. Das lässt sich nicht rückgängig machen.',
      confirm: 'Widerrufen',
    },
  },
  admin: {
    title: 'Admin-Sitzung für Skripte',
    lead: 'Ein Token für eine Stunde, mit dem Ihre eigenen Skripte bei Agentenzahlungen und Regeln als Sie handeln. Es endet mit der Anmeldung, die es erstellt hat.',
    make: 'Admin-Sitzung erstellen',
    secretName: 'Token der Admin-Sitzung',
    send: 'Senden Sie es als Authorization: Bearer.',
    until: 'Gültig bis',
    end: 'Jetzt beenden',
    ended: 'Die Admin-Sitzung ist beendet.',
    hidden:
      'Der Dienst listet Admin-Sitzungen nicht auf. Melden Sie sich ab, um alle zu beenden, die diese Anmeldung erstellt hat.',
  },
};
