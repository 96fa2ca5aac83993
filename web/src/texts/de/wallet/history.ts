import type * as english from '../../wallet/history.ts';
import type { Translated } from '../translated.ts';

export const history: Translated<typeof english.history> = {
  title: 'Verlauf',
  list: 'Entschieden und gezahlt',
  search: 'Suchen',
  searchHint: 'Zahlungsempfänger, Domain, Agent, Kennung oder der genaue Betrag.',
  agent: 'Agent',
  everyAgent: 'Alle Agenten',
  find: 'Suchen',
  emptyTitle: 'Noch nichts entschieden',
  empty: 'Was Sie freigeben oder ablehnen, erscheint hier.',
  nothingFound: 'Nichts gefunden',
  nothingFoundText:
    'Keine entschiedene Zahlung enthält diese Wörter. Versuchen Sie es mit weniger Wörtern oder einem anderen Agenten.',
  more: 'Ältere zeigen',
  cut: (count) =>
    `Die neuesten ${count} Zahlungen wurden durchsucht. Es kann ältere geben: Wählen Sie einen Agenten oder suchen Sie nach einem Zahlungsempfänger oder einer Kennung.`,
  spending: {
    title: 'Ausgaben je Agent und Monat',
    none: 'Bisher wurde nichts als bestätigt gemeldet.',
    explain:
      'Was diese Wallet als bestätigt gemeldet hat, nach dem Monat der Anfrage. Verschiedene Assets werden nie zusammengezählt.',
    cut: (count, month) =>
      `Nur die neuesten ${count} Zahlungen sind gezählt: Ältere Monate sind nicht geladen, und ${month} ist möglicherweise unvollständig.`,
    month: 'Monat',
    agent: 'Agent',
    spent: 'Ausgegeben',
  },
  receipt: {
    title: 'Beleg',
    back: 'Zurück zum Verlauf',
    print: 'Drucken',
    notPaid: 'Es wurde nichts gezahlt, deshalb gibt es keinen Beleg.',
    pinned: 'Festgehaltene Angaben',
    words: 'Quelle',
    wallet: 'Diese Wallet hat gemeldet',
    chain: 'Die Blockchain zeigt',
    noHash: 'Es wurde keine Transaktion gemeldet.',
    hash: 'Transaktion',
    ids: 'Kennungen',
    agent: 'Angefragt von',
    asked: 'Angefragt',
    request: 'Kennung der Zahlung',
    connection: 'Verbindung',
    note: 'Der Prüfwert wurde auf diesem Gerät neu berechnet und passt zu den Angaben oben. Der signierte Nachweis dieser Zahlung kann unter /verify geprüft werden.',
  },
};
