import type * as english from '../../wallet/payments.ts';
import type { Translated } from '../translated.ts';

export const review: Translated<typeof english.review> = {
  title: 'Zahlung prüfen',
  back: 'Zurück zum Eingang',
  now: (status) => `Stand dieser Zahlung: ${status}.`,
  elsewhere: {
    title: 'Diese Anfrage ist nicht in dieser Wallet',
    text: 'Sie ging an eine andere Wallet. Öffnen Sie den Link in dem Browser, der jene Wallet hat.',
  },
  pinned: {
    label: 'Festgehaltene Angaben zu dieser Zahlung',
    asks: 'bittet Sie um Zahlung von',
    asked: 'bat Sie um Zahlung von',
    anAgent: 'Ein Agent',
    details: 'Adresse und Einzelheiten',
    copyAddress: 'Adresse',
    digest: 'Prüfwert dieser Angaben',
    international: 'Internationaler Name: Er kann wie ein anderer aussehen',
    payee: 'Voller Name des Zahlungsempfängers',
    domain: 'Bestätigte Domain',
    statedDomain: 'Domain, laut Dienst',
    log: 'Transparenzlog',
    noDomain: 'keine bestätigte Domain',
    proof: 'Nachweis',
    bindings: {
      payee: 'Adresse im eigenen Eintrag der Domain nachgewiesen',
      domain: 'Nur die Domain ist nachgewiesen: Die Adresse ist eine Angabe des Händlers',
    },
    changed: 'Zahlungsempfänger geändert',
    noPayee: 'Kein bestätigter Zahlungsempfänger: nur eine Adresse',
    typed: 'Adresse eingegeben von',
    typedBy: {
      operator: 'einem Teammitglied des Händlers',
      agent: 'dem Agenten',
      user: 'Ihnen, in dieser Wallet',
      unknown: 'einer Person; von wem, wurde nicht erfasst',
    },
    network: 'Netzwerk',
    testnet: 'kein echtes Geld',
    address: 'An diese Adresse',
    issuer: 'Asset herausgegeben von',
    contract: 'Token-Vertrag',
    memo: 'Memo',
    hashMemo: 'Memo (Hash)',
    noMemo: 'keines',
    expires: 'Entscheiden bis',
    createdWith: 'Erstellt mit',
    origins: {
      proof: 'dem Schlüssel des Agenten',
      own_token: 'dem eigenen Token des Agenten',
      shared_token: 'einem Token, das eine Wallet gesehen hat: Nicht nur der Agent kann sie erstellt haben',
      api_key: 'einem API-Schlüssel des Agenten',
      operator: 'der Anmeldung eines Teammitglieds des Händlers',
      wallet: 'Ihrer Wallet',
      unknown: 'nicht festgehalten',
    },
    holds: 'Unverändert seit der Anfrage des Agenten.',
    broken: 'Nicht zahlen: Die Angaben entsprechen nicht dem, was festgehalten wurde.',
  },
  log: {
    checking: 'Zahlungsempfänger wird nachgeschlagen …',
    verified: 'Auf diesem Gerät geprüft: Dieser Zahlungsempfänger steht im Transparenzlog seit',
    lines: {
      not_logged: 'Dieser Zahlungsempfänger steht nicht im Transparenzlog',
      unreachable: 'Das Transparenzlog kann gerade nicht geprüft werden',
      new_key: 'Das Transparenzlog hat einen neuen Schlüssel',
      forked: 'Nicht zahlen: Das Transparenzlog widerspricht sich',
      broken: 'Nicht zahlen: Der Nachweis dieses Zahlungsempfängers stimmt nicht',
    },
    explain: {
      not_logged:
        'Er wurde aktiviert, bevor es ein Transparenzlog gab, oder sein Eintrag ist noch nicht darin. Nur der Dienst bürgt für ihn.',
      unreachable:
        'Der Nachweis des Zahlungsempfängers oder das Transparenzlog ist nicht lesbar. Sie können entscheiden, aber im Moment bürgt nur der Dienst für diesen Zahlungsempfänger.',
      new_key:
        'Das Transparenzlog ist mit einem Schlüssel signiert, den diese Wallet noch nicht gesehen hat. Fragen Sie den Betreiber des Dienstes, ob sein Hauptschlüssel geändert wurde. Bis dahin bürgt nur der Dienst für diesen Zahlungsempfänger.',
      forked:
        'Das Transparenzlog, das der Dienst jetzt zeigt, setzt das nicht fort, das er Ihnen vorher gezeigt hat. Möglicherweise sehen Sie einen anderen Zahlungsempfänger als andere. Informieren Sie den Betreiber dieses Dienstes und vergleichen Sie mit einem Monitor des Transparenzlogs.',
      broken:
        'Dieses Gerät hat den Nachweis neu berechnet, und er gehört nicht zu den Angaben hier. Lehnen Sie die Anfrage ab und informieren Sie den Betreiber dieses Dienstes.',
    },
    trust: {
      action: 'Dem Transparenzlog vertrauen, wie es jetzt ist',
      title: 'Bekannten Stand des Transparenzlogs verwerfen?',
      text: 'Diese Wallet löscht den Schlüssel und den Stand des Transparenzlogs, die sie kennt, und übernimmt die, die der Dienst jetzt zeigt. Tun Sie das nur, wenn der Betreiber dieses Dienstes Ihnen erklärt hat, warum sie sich geändert haben.',
      confirm: 'Vertrauen',
    },
  },
  broken: {
    title: 'Diese Anfrage kann nicht freigegeben werden',
    text: 'Dieses Gerät hat den Prüfwert der Angaben oben berechnet, und er weicht von dem ab, der festgehalten wurde. Sie wurden auf dem Weg zu Ihnen geändert. Zahlen Sie nicht; die Anfrage läuft ab. Informieren Sie den Betreiber dieses Dienstes.',
    changed:
      'Die Angaben haben sich zwischen dem, was Sie gesehen haben, und dem, was signiert würde, geändert. Es wurde nichts signiert. Prüfen Sie sie noch einmal.',
  },
  notes: {
    title: 'Warnungen',
    first: 'Erste Zahlung an diesen Zahlungsempfänger aus dieser Wallet. Kennen Sie diese Domain?',
    claims:
      'Ein Name enthält hier ein Häkchen, einen Betrag, einen Link oder ein Wort wie „bestätigt“ und wird nicht angezeigt. Geprüft wurde nur die Domain.',
    unbound: 'Nur die Domain ist nachgewiesen: Die Adresse ist eine Angabe des Händlers.',
    recent: (ago) => `Die Adresse des Zahlungsempfängers wurde ${ago} festgelegt.`,
    paidBefore: (times) =>
      times === 1 ? 'Einmal gezahlt, gleiche Adresse' : `${times}-mal gezahlt, gleiche Adresse`,
    earlier: (amount, when, state) => `${amount}, angefragt am ${when}, ${state}`,
    changed: (when) => `Geändert seit der Zahlung vom ${when}:`,
    version: 'Der Zahlungsempfänger hat seinen Eintrag erneuert; die Adresse ist gleich geblieben.',
    name: 'Der Name des Zahlungsempfängers ist ein anderer. Er war:',
    domain: (before) => `Die bestätigte Domain ist eine andere. Sie war ${before}.`,
    none: 'keines',
    sameName: (domain) =>
      `Sie haben einen anderen Zahlungsempfänger bezahlt, dessen Name gleich aussieht (${domain}). Dies ist nicht derselbe.`,
    lookAlike:
      'Sie haben an eine Adresse gezahlt, die wie diese beginnt und endet, aber eine andere ist. Vergleichen Sie jede Gruppe:',
    repeated: (when) =>
      `Sie haben diesem Zahlungsempfänger denselben Betrag schon gezahlt (${when}). Ist diese Zahlung auch gewollt?`,
    duplicate:
      'Mögliches Duplikat: Derselbe Betrag an denselben Zahlungsempfänger wurde in den letzten 24 Stunden angefragt. Frühere Anfragen:',
    secondPayment: 'Laut Agent ist dies absichtlich eine zweite Zahlung, nach der Anfrage',
    tooMuch: 'Das Netzwerk kann diesen Betrag nicht übertragen. Er kann nicht freigegeben werden.',
    noPayee: {
      operator:
        'Keine Domain weist nach, wem diese Adresse gehört. Ein Teammitglied des Händlers hat sie eingegeben.',
      agent: 'Keine Domain weist nach, wem diese Adresse gehört. Der Agent hat sie eingegeben.',
      user: 'Keine Domain weist nach, wem diese Adresse gehört. Sie haben sie in dieser Wallet eingegeben.',
      unknown: 'Keine Domain weist nach, wem diese Adresse gehört.',
    },
    unverifiedDomain:
      'Keine Domain bürgt für diesen Zahlungsempfänger, oder die bürgende ging verloren. Zahlen Sie nicht, außer Sie wissen, warum.',
    notCurrent:
      'Der Händler hat diesen Zahlungsempfänger seit der Anfrage ersetzt oder archiviert. Fragen Sie beim Händler nach, bevor Sie zahlen.',
    paused: 'Sie haben diesen Agenten pausiert. Über seine früheren Anfragen können Sie noch entscheiden.',
    revoked: 'Die Verbindung dieses Agenten ist widerrufen.',
    withinPolicy: 'Fällt unter eine Regel für automatische Zahlungen, der Sie zugestimmt haben.',
    byHuman: 'Von einer Person eingereicht, deshalb wurden die Grenzen der Regel nicht angewendet.',
    policyLink: 'Regel ansehen',
    remaining: (remaining, asset) => `Unter der Regel verbleiben: ${remaining} ${asset}.`,
  },
  purpose: {
    mark: 'sagt der Agent',
    none: 'Der Agent sagt nicht, wofür.',
    withheld: 'Wofür: siehe unten die Worte des Agenten.',
  },
  said: {
    title: 'Was der Agent sagt',
    mark: 'nicht bestätigt',
    explain:
      'Das sind die eigenen Worte des Agenten. Sie können die Angaben oben nicht ändern; weichen sie ab, gelten die Angaben.',
    all: 'Alles, was der Agent sagt',
    items: 'Was gekauft wird, laut Agent',
    item: 'Artikel',
    quantity: 'Menge',
    price: 'Preis',
    agent: 'Agent',
    forMerchant: 'Arbeitet für',
    nothing: 'Der Agent sagt nichts zu dieser Zahlung.',
    context: 'Zweck',
    display: 'Zur Anzeige',
    metadata: 'Weitere Daten',
    source: 'Quelle',
    contextMissing: 'Die Beschreibung, die zu dieser Anfrage gehört, ist nicht lesbar.',
    contextLoading: 'Beschreibung wird gelesen …',
    contextAbsent: 'Der Agent nennt eine Beschreibung, die er noch nicht geschrieben hat.',
    contextLater: 'Nach der Anfrage hinzugefügt',
    cut: (count) => `${count} weitere Einträge werden nicht angezeigt.`,
  },
};

export const decision: Translated<typeof english.decision> = {
  title: 'Ihre Entscheidung',
  how: 'Wie gezahlt wird',
  looking: 'Wird geladen …',
  approve: (amount) => (amount === undefined ? 'Freigeben' : `${amount} freigeben`),
  left: (time) => `Läuft ab in ${time}`,
  expired: 'Abgelaufen. Eine Freigabe ist nicht mehr möglich.',
  approveElsewhere:
    'Mit der Freigabe wird diese Zahlung für dieses Gerät reserviert, damit kein anderes Gerät sie auch zahlt. Danach zahlen Sie mit Ihrer eigenen Wallet-App und melden die Transaktion hier.',
  approveHere:
    'Mit der Freigabe wird die Transaktion auf diesem Gerät signiert und an das Netzwerk gesendet.',
  payElsewhere: 'Mit einer anderen App zahlen',
  reject: 'Ablehnen',
  rejectTitle: 'Diese Zahlung ablehnen?',
  rejectText:
    'Es wird nichts gezahlt, und die Anfrage ist endgültig geschlossen. Der Agent und der Händler sehen den Grund.',
  rejectConfirm: 'Zahlung ablehnen',
  reasonCode: 'Grund',
  reason: {
    label: 'In Ihren Worten (optional)',
    hint: 'Höchstens 280 Zeichen. Der Agent und der Händler können dies lesen.',
  },
  reasons: {
    declined_by_user: 'Ich möchte diese Zahlung nicht',
    unknown_payee: 'Ich kenne diesen Zahlungsempfänger nicht',
    wrong_amount: 'Der Betrag ist falsch',
    duplicate: 'Das habe ich schon gezahlt',
    suspicious: 'Etwas stimmt nicht',
  },
};
