import type * as english from '../../portal/policies.ts';
import type { Translated } from '../translated.ts';

export const policies: Translated<typeof english.policies> = {
  title: 'Regeln für automatische Zahlungen',
  lead: 'Grenzen, in denen ein Agent Zahlungen ohne einzelne Freigabe veranlassen darf. Nur der Kunde kann eine Regel einschalten; Sie können sie pausieren oder beenden.',
  payments: 'Agentenzahlungen',
  filter: 'Status',
  empty: {
    title: 'Keine Regel',
    text: 'Ihr Agent schlägt mit seinem API-Schlüssel eine vor, mit Grenzen, einer Zeit und einer Liste von Zahlungsempfängern. Der Kunde liest sie dann in der Wallet und stimmt zu oder nicht.',
    action: 'API-Schlüssel erstellen',
  },
  name: (asset, network) => `${asset} auf ${network}`,
  open: 'Grenzen und Zahlungsempfänger',
  detailTitle: 'Regel für automatische Zahlungen',
  consent: {
    draft: 'Ohne Zustimmung: Der Kunde muss diesen Grenzen in der Wallet zustimmen.',
    agreed: 'Der Kunde hat zugestimmt',
    paused: 'Pausiert: Unter ihr wird nichts gezahlt, bis der Kunde sie fortsetzt.',
    expired: 'Ihre Zeit ist abgelaufen.',
    revoked: 'Endgültig beendet.',
  },
  usage: {
    title: 'Von der Obergrenze genutzt',
    spent: 'Gezahlt',
    reserved: 'Unterwegs',
    remaining: 'Verbleibend',
    noCap: 'Noch ist keine Obergrenze gesetzt.',
    share: (percent) => `${percent} der Obergrenze sind genutzt.`,
    never: 'Die Obergrenze gilt für die ganze Lebensdauer der Regel und wird nie zurückgesetzt.',
  },
  limits: {
    title: 'Grenzen in einfachen Worten',
    single: (amount) => `Eine Zahlung darf höchstens ${amount} betragen. Für mehr braucht es eine Person.`,
    cumulative: (amount) => `Alle Zahlungen zusammen dürfen höchstens ${amount} betragen.`,
    window: 'Sie gilt nur in dieser Zeit:',
    from: 'Von',
    until: 'Bis, ausschließlich',
    payees: 'Nur diese dürfen bezahlt werden:',
    missing: {
      single: 'Für eine Zahlung ist keine Grenze gesetzt. Vorher kann der Kunde nicht zustimmen.',
      cumulative:
        'Für alle Zahlungen zusammen ist keine Obergrenze gesetzt. Vorher kann der Kunde nicht zustimmen.',
      window: 'Es ist keine Zeit gesetzt. Vorher kann der Kunde nicht zustimmen.',
      payees:
        'Noch ist kein Zahlungsempfänger erlaubt. Der Kunde kann erst zustimmen, wenn mindestens einer genannt ist.',
    },
    address: 'Eine Adresse ohne Eintrag eines Zahlungsempfängers',
    payee: 'Zahlungsempfänger',
    domain: 'nachgewiesene Domain',
    memo: 'Memo',
    moved:
      'Ein Zahlungsempfänger, der zu einer anderen Adresse wechselt, ist nicht mehr abgedeckt, bis der Kunde erneut zustimmt.',
  },
  facts: {
    id: 'Regel',
    connection: 'Verbindung',
    issuer: 'Herausgeber des Assets',
    created: 'Vorgeschlagen',
    version: 'Version',
    status: 'Status',
  },
  records: 'Für Ihre Unterlagen',
  pause: {
    action: 'Pausieren',
    title: 'Diese Regel pausieren?',
    text: 'Der Agent kann unter ihr nichts zahlen, bis der Kunde sie in der Wallet fortsetzt. Sie können sie nicht für ihn fortsetzen.',
    confirm: 'Pausieren',
  },
  stop: {
    action: 'Regel beenden',
    title: 'Diese Regel endgültig beenden?',
    text: 'Der Agent kann unter ihr nichts mehr zahlen. Signierte Zahlungen laufen weiter. Eine neue Regel bräuchte wieder die Zustimmung des Kunden.',
    confirm: 'Beenden',
  },
};

export const agentPayments: Translated<typeof english.agentPayments> = {
  title: 'Agentenzahlungen',
  lead: 'Zahlungen, die Agenten unter einer Regel gemacht haben oder die eine Person ohne Regel angefragt hat.',
  filter: 'Status',
  backToPolicies: 'Regeln für automatische Zahlungen',
  empty: {
    title: 'Noch keine Agentenzahlung',
    text: 'Wenn eine Regel aktiv ist, kann ein Agent mit einem API-Schlüssel in ihren Grenzen zahlen. Sie erscheinen hier.',
    action: 'Regeln ansehen',
  },
  table: 'Agentenzahlungen',
  heads: {
    amount: 'Betrag',
    payee: 'Gezahlt an',
    status: 'Status',
    by: 'Angefragt von',
    created: 'Angefragt',
    actions: 'Aktionen',
  },
  by: { agent: 'Agent', human: 'Eine Person' },
  cancel: {
    action: 'Zurücknehmen',
    title: 'Diese Zahlung zurücknehmen?',
    text: 'Die Wallet hat noch nichts damit getan. Ihr Betrag wird der Regel zurückgegeben.',
    confirm: 'Zurücknehmen',
  },
};
