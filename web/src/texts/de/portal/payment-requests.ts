import type * as english from '../../portal/payment-requests.ts';
import type { Translated } from '../translated.ts';

export const paymentRequests: Translated<typeof english.paymentRequests> = {
  title: 'Zahlungsanfragen',
  lead: 'Die Anfragen Ihrer Agenten und die Entscheidungen der Kunden. Sie können nur lesen: Freigeben kann nur der Kunde.',
  filter: 'Status',
  filters: {
    words: 'Suchen',
    hint: 'Betrag, Zweck, Empfänger oder Kennung',
    from: 'Von',
    to: 'Bis',
    clear: 'Filter löschen',
  },
  download: {
    action: 'CSV herunterladen',
    saved: (count) => `${count} Zahlungen als payments.csv gespeichert.`,
    cut: (count) =>
      `Die neuesten ${count} Zahlungen gespeichert. Wählen Sie für die übrigen eine kürzere Zeit.`,
  },
  panel: { page: 'Als Seite öffnen', close: 'Schließen' },
  deliveries: {
    title: 'Webhook-Zustellungen',
    none: 'Zu einer Entscheidung über diese Anfrage wurde kein Webhook gesendet.',
    action: 'Webhooks',
  },
  empty: {
    title: 'Noch keine Zahlungsanfrage',
    text: 'Ihr Agent stellt eine mit seinem Verbindungstoken: ein Zahlungsempfänger und ein Betrag. Sie erscheint sofort hier, und der Kunde findet sie in der Wallet.',
    ofOne: 'Der Agent hat bei diesem Kunden noch nichts angefragt.',
    action: 'Ihre Verbindungen ansehen',
  },
  table: 'Zahlungsanfragen',
  heads: {
    amount: 'Betrag',
    status: 'Status',
    purpose: 'Zweck',
    payee: 'Zahlungsempfänger',
    agent: 'Agent',
    asked: 'Angefragt',
  },
  open: (amount) => `Anfrage über ${amount} öffnen`,
  detailTitle: 'Zahlungsanfrage',
  pinned: {
    title: 'Festgehaltene Angaben',
    lead: 'Bei der Anfrage von Ihrem aktivierten Zahlungsempfänger übernommen. Niemand kann sie ändern.',
    payee: 'Zahlungsempfänger',
    domain: 'Nachgewiesene Domain',
    network: 'Netzwerk',
    address: 'Adresse',
    memo: 'Memo',
    contract: 'Token-Vertrag',
    issuer: 'Herausgeber des Assets',
    expires: 'Läuft ab',
    digest: 'Prüfwert der Angaben',
    payeeVersion: 'Version des Zahlungsempfängers',
  },
  said: {
    title: 'Vom Agenten',
    lead: 'Worte Ihres Agenten, wie der Kunde sie liest. Sie ändern keine Angabe oben.',
    nothing: 'Der Agent hat nichts zu dieser Zahlung geschrieben.',
    context: (revision) =>
      revision === null
        ? 'Er nennt auch eine Beschreibung, die es noch nicht gab; nur der Agent und die Wallet des Kunden können sie lesen.'
        : `Er hält auch Fassung ${revision} einer Beschreibung fest, die nur der Agent und die Wallet des Kunden lesen können.`,
    agent: 'Agent',
    createdWith: 'Erstellt mit',
    origins: {
      proof: 'dem Schlüssel des Agenten',
      own_token: 'dem eigenen Token des Agenten',
      shared_token:
        'einem Token, das die Wallet des Kunden gesehen hat: Der Kunde kann die Anfrage erstellt haben',
      unknown: 'nicht festgehalten',
    },
    display: 'Dem Kunden gezeigt',
    source: 'Quelle',
    metadata: 'Notizen',
  },
  timeline: {
    title: 'Was geschah',
    created: 'Angefragt',
    next: {
      pending: 'Wartet auf die Entscheidung des Kunden',
      signed: 'Wartet darauf, dass die Wallet sie an das Netzwerk sendet',
      broadcasted: 'Wartet auf die Bestätigung des Netzwerks',
    },
    until: 'bis',
    explorer: 'In einem Explorer öffnen',
    reason: 'Grund',
    words: 'In den Worten des Kunden',
    txHash: 'Transaktion',
    reasons: { connection_revoked: 'die Verbindung wurde widerrufen' },
  },
  evidence: {
    title: 'Wer was freigegeben hat',
    asked: 'Angefragt von',
    decided: 'Entscheidung',
    verdicts: {
      approve: (what) => `Der Kunde hat ${what} freigegeben am`,
      reject: (what) => `Der Kunde hat ${what} abgelehnt am`,
    },
    undecided: {
      open: 'Noch keine Entscheidung.',
      final: 'Ohne Entscheidung geschlossen.',
    },
    payee: 'An',
    device: 'Auf dem Gerät',
    signed: 'Signatur',
    signatures: {
      Ed25519: 'Mit dem Schlüssel des Geräts signiert, über das, was auf dem Bildschirm stand.',
      webauthn:
        'Mit einem Passkey signiert, über das, was auf dem Bildschirm stand, nachdem der Kunde geprüft wurde.',
      none: 'Nicht signiert: Die Wallet des Kunden hat keinen Schlüssel. Nur der Dienst gibt das an.',
    },
    thumbprint: 'Fingerabdruck des Schlüssels',
    lead: 'Der Zahlungsnachweis belegt Zahlungsempfänger, Angaben, Entscheidung und Verlauf gegenüber jedem, ohne diesen Dienst. Bewahren Sie ihn bei Ihren Unterlagen auf.',
    download: 'Zahlungsnachweis herunterladen',
    saved: 'Als evidence.json gespeichert.',
    check: 'In diesem Browser prüfen, ohne etwas hochzuladen:',
    page: 'Zahlungsnachweis prüfen',
    command: 'Prüfbefehl',
  },
  now: (status) => `Status: ${status}`,
  facts: {
    id: 'Anfrage',
    connection: 'Verbindung',
    key: 'Idempotenzschlüssel',
    version: 'Änderungen bisher',
  },
  records: 'Für Ihre Unterlagen',
};
