import type * as english from '../../portal/domains.ts';
import type { Translated } from '../translated.ts';

export const domainTexts: Translated<typeof english.domainTexts> = {
  title: 'Domains',
  lead: 'Eine nachgewiesene Domain zeigt Ihren Kunden, wer um Geld bittet. Sie wird bei jeder Prüfung eines Zahlungsempfängers erneut abgefragt.',
  table: 'Ihre Domains',
  heads: { domain: 'Domain', method: 'Methode', status: 'Status', since: 'Seit' },
  statuses: {
    pending: 'Noch nicht nachgewiesen',
    verified: 'Nachgewiesen',
    lapsed: 'Verfallen',
  },
  methods: { dns: 'TXT-Eintrag im DNS', https: 'Datei auf dem Webserver' },
  pendingMerchant: {
    title: 'Ein Schritt fehlt noch, bis Ihre Organisation aktiv ist.',
    text: 'Weisen Sie eine Domain nach. Vorher können Zahlungsempfänger, Agenten und alles andere nicht erstellt werden.',
  },
  empty: {
    title: 'Noch keine Domain',
    text: 'Registrieren Sie die Domain, unter der Ihre Kunden Sie kennen, etwa shop.example. Sie veröffentlichen dann eine Zeile in ihrem DNS oder als Datei auf ihrem Webserver, und wir prüfen sie.',
  },
  add: {
    title: 'Domain registrieren',
    domain: 'Domain',
    domainHint: 'Der genaue Hostname. Eine Adresse aus dem Browser geht auch: Nur ihr Host wird übernommen.',
    registered: (host) => `Wird registriert: ${host}`,
    placeholder: 'shop.example',
    method: 'Wie möchten Sie sie nachweisen?',
    methodHint: 'DNS passt für die meisten: Der Webserver bleibt unberührt.',
    action: 'Zeigen, was zu veröffentlichen ist',
  },
  detail: {
    back: 'Alle Domains',
    status: 'Status',
    method: 'Methode',
    registered: 'Registriert',
    verified: 'Nachgewiesen',
  },
  challenge: {
    title: 'Veröffentlichen Sie dies und lassen Sie es stehen',
    keep: 'Lassen Sie es veröffentlicht: Es wird täglich und bei jeder Prüfung eines Zahlungsempfängers abgefragt. Fehlt es sieben Tage lang, verfällt die Domain, und ihre Zahlungsempfänger werden gesperrt.',
    dnsLead:
      'Fügen Sie diesen Eintrag bei dem Anbieter hinzu, der das DNS Ihrer Domain betreibt. Andere Einträge spielen keine Rolle.',
    httpsLead:
      'Legen Sie eine Datei mit genau diesem Inhalt auf Ihren Webserver, erreichbar unter dieser Adresse ohne Weiterleitung.',
    type: 'Typ',
    name: 'Name',
    value: 'Wert',
    address: 'Adresse',
    content: 'Inhalt',
    until: 'Gültig bis',
    hints: {
      title: 'Wo Sie es bei Ihrem DNS-Anbieter eintragen',
      lead: 'Die meisten Anbieter hängen die Domain automatisch an den Namen an. Geben Sie dann nur den kurzen Namen ein:',
      zone: (zone) => `In der Zone ${zone}`,
      shortName: 'kurzer Name',
      table: 'Menüs gängiger DNS-Anbieter',
      heads: { provider: 'Anbieter', menu: 'Menü', field: 'Feld für den Namen' },
      quotes: 'Geben Sie den Wert ohne Anführungszeichen ein, außer bei AWS Route 53, das sie verlangt.',
    },
    over: 'Dieser Prüfeintrag ist abgelaufen. Holen Sie einen neuen, veröffentlichen Sie ihn und prüfen Sie dann erneut.',
    renew: 'Neuen Prüfeintrag holen',
    other: {
      dns: 'Stattdessen mit einem TXT-Eintrag nachweisen',
      https: 'Stattdessen mit einer Datei nachweisen',
    },
  },
  check: {
    title: 'Prüfen lassen',
    action: 'Jetzt prüfen',
    busy: 'Wird geprüft …',
    hint: 'Bis ein neuer DNS-Eintrag überall sichtbar ist, können einige Minuten vergehen. Sie können beliebig oft prüfen.',
    waiting:
      'Diese Seite prüft automatisch und geht weiter, sobald sie den Nachweis findet. Lassen Sie sie offen.',
    stopped:
      'Eine Weile wurde nichts gefunden, deshalb prüft diese Seite nicht mehr automatisch. Prüfen Sie, wenn es veröffentlicht ist.',
    proved: 'Die Domain ist nachgewiesen.',
    provedActive: 'Ihre Organisation ist aktiv. Als Nächstes: festlegen, wohin Zahlungen gehen.',
    next: 'Zu den Zahlungsempfängern',
    create: 'Zahlungsempfänger erstellen',
  },
  failure: {
    title: 'Was abgefragt und was gefunden wurde',
    lookedUp: 'Abgefragt',
    expected: 'Erwartet',
    found: 'Gefunden',
    nothing: 'Nichts',
    status: (status) => `HTTP-Status ${status}`,
    next: 'Vergleichen Sie beides, korrigieren Sie die Abweichung und prüfen Sie erneut. Es wurde nichts geändert.',
  },
  verifiedNote: 'Lassen Sie den Prüfeintrag der Domain veröffentlicht.',
  monitor: {
    title: 'Das Transparenzlog für diese Domain beobachten',
    lead: 'Jeder Zahlungsempfänger, der für diese Domain aktiviert wird, steht im Transparenzlog. Dieser Befehl verfolgt es auf einem Ihrer Rechner und schlägt Alarm, wenn darin ein Zahlungsempfänger steht, den Sie nicht kennen, oder wenn es nachträglich geändert wurde.',
    name: 'Monitor-Befehl',
    known:
      'Schreiben Sie die Prüfwerte der Nachweise Ihrer Zahlungsempfänger in known-payees.txt, einen pro Zeile; jeder steht auf der Seite seines Zahlungsempfängers. Bewahren Sie log-state.json dort auf, wo dieser Dienst es nicht erreicht.',
  },
  lapsedNote: {
    title:
      'Ihr Prüfeintrag war weg, und die Domain ist verfallen oder wurde von einer anderen Organisation nachgewiesen.',
    text: 'Ist es Ihre, veröffentlichen Sie den Prüfeintrag wieder, stellen Sie sicher, dass kein anderer veröffentlicht ist, und prüfen Sie.',
  },
  remove: {
    action: 'Domain löschen',
    title: 'Diese Domain löschen?',
    text: 'Sie wird frei: Eine andere Organisation kann sie nachweisen. Zahlungsempfänger, die auf ihr beruhen, werden gesperrt: Es kann keine neue Zahlung angefragt werden, und offene Anfragen zeigen sie nicht mehr als bestätigt, bis Sie sie mit einer anderen Domain aktivieren. Ihre Organisation bleibt aktiv.',
    confirm: 'Löschen',
  },
};
