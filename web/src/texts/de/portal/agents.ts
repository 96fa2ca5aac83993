import type * as english from '../../portal/agents.ts';
import type { Translated } from '../translated.ts';

export const agentTexts: Translated<typeof english.agentTexts> = {
  title: 'Agenten',
  lead: 'Ein Agent ist ein Programm von Ihnen, das Kunden um Zahlungen bittet. Er kann nichts tun, bevor ein Kunde ihn mit einer Wallet verbunden hat, und jede Zahlung wird dort freigegeben.',
  table: 'Ihre Agenten',
  heads: { name: 'Name', status: 'Status', environment: 'Umgebung', since: 'Registriert' },
  statuses: { pending: 'Noch nicht aktiv', active: 'Aktiv', suspended: 'Gesperrt', revoked: 'Widerrufen' },
  create: 'Agenten registrieren',
  empty: {
    title: 'Noch kein Agent',
    text: 'Registrieren Sie das Programm, das um Zahlungen bitten soll: ein Name, was es darf, und ein Schlüssel, der in Ihrem Browser entsteht. Danach erhalten Sie, was Sie Ihrem Entwickler geben.',
  },
  form: {
    title: 'Agenten registrieren',
    back: 'Alle Agenten',
    name: 'Name',
    nameHint: 'Kunden lesen ihn, wenn sie den Agenten verbinden: Sagen Sie, was er für sie tut.',
    runtime: 'Läuft auf',
    runtimeHint: 'Zu Ihrer eigenen Orientierung, zum Beispiel node oder python.',
    environment: 'Umgebung',
    environmentHint: 'Ein Wort Ihrer Wahl, zum Beispiel test.',
    scopes: 'Was er darf',
    scopesHint:
      'Jeder Kunde sieht diese Liste und kann weniger erlauben. Geben Sie nur, was der Agent braucht.',
    action: 'Agenten registrieren',
  },
  scopes: {
    'payment.requests.create': {
      title: 'Um Zahlungen bitten',
      text: 'Zahlungsanfragen in die Wallet eines verbundenen Kunden legen, der jede freigibt oder ablehnt.',
    },
    'payment.requests.read': {
      title: 'Ihr Ergebnis sehen',
      text: 'Den Stand der eigenen Zahlungsanfragen lesen und von Änderungen erfahren.',
    },
    'transaction_contexts.create': {
      title: 'Eine Zahlung erklären',
      text: 'Eine Beschreibung anfügen, etwa eine Bestellung, die der Kunde vor der Entscheidung liest.',
    },
    'transaction_contexts.read': {
      title: 'Eigene Erklärungen lesen',
      text: 'Die angefügten Beschreibungen wieder lesen.',
    },
  },
  detail: {
    back: 'Alle Agenten',
    id: 'Kennung des Agenten',
    status: 'Status',
    runtime: 'Läuft auf',
    environment: 'Umgebung',
    scopes: 'Darf anfragen',
    proofs: 'Seine Token gelten',
    registered: 'Registriert',
  },
  readiness: {
    ready: 'Der Agent kann arbeiten: Er ist aktiv und hat einen gültigen Schlüssel.',
    needsBoth:
      'Der Agent kann noch nicht arbeiten. Er braucht einen Schlüssel und muss aktiviert werden, in beliebiger Reihenfolge.',
    needsKey: 'Der Agent kann nicht arbeiten: Er hat keinen gültigen Schlüssel. Erstellen Sie unten einen.',
    needsActivation: 'Der Agent hat einen Schlüssel, ist aber noch nicht aktiv. Aktivieren Sie ihn.',
    suspended: 'Der Agent ist gesperrt: Jeder seiner Aufrufe wird abgewiesen, bis Sie ihn entsperren.',
    revoked:
      'Der Agent ist endgültig widerrufen. Seine Schlüssel, Token und Verbindungen funktionieren nicht mehr.',
  },
  change: {
    open: 'Name oder Rechte ändern',
    name: 'Name',
    cut: 'Rechte, die Sie wegnehmen, enden sofort in jeder Verbindung. Rechte, die Sie hinzufügen, muss jeder Kunde neu erlauben.',
    save: 'Änderungen speichern',
    saved: 'Die Änderungen sind gespeichert.',
  },
  proofs: {
    required: 'nur zusammen mit seinem Schlüssel',
    notRequired: 'für jeden, der sie hat',
    require: {
      action: 'Token an den Schlüssel binden',
      title: 'Token dieses Agenten an seinen Schlüssel binden?',
      text: 'Jeder Aufruf mit einem Verbindungstoken braucht dann einen Beleg, der mit dem Schlüssel des Agenten signiert ist, sodass ein gestohlenes Token nichts wert ist. Das SDK sendet Belege automatisch, wenn es den Schlüssel hat. Aufrufe mit dem Token allein werden ab dann abgewiesen.',
      confirm: 'Token binden',
    },
    release: {
      action: 'Token allein gelten lassen',
      title: 'Token dieses Agenten allein gelten lassen?',
      text: 'Jeder, der ein Verbindungstoken hat, auch die Wallet des Kunden, kann dann im Namen des Agenten anfragen.',
      confirm: 'Allein gelten lassen',
    },
  },
  acts: {
    activate: {
      action: 'Aktivieren',
      title: 'Diesen Agenten aktivieren?',
      text: 'Mit einem gültigen Schlüssel kann er sich dann mit Kunden verbinden und sie um Zahlungen bitten.',
      confirm: 'Agenten aktivieren',
    },
    suspend: {
      action: 'Sperren',
      title: 'Diesen Agenten sperren?',
      text: 'Jeder seiner Aufrufe wird sofort abgewiesen. Verbindungen bleiben und funktionieren wieder, wenn Sie ihn entsperren.',
      confirm: 'Agenten sperren',
    },
    resume: {
      action: 'Entsperren',
      title: 'Diesen Agenten entsperren?',
      text: 'Seine Schlüssel und Verbindungen funktionieren sofort wieder.',
      confirm: 'Entsperren',
    },
    revoke: {
      action: 'Widerrufen',
      title: 'Diesen Agenten endgültig widerrufen?',
      text: 'Das lässt sich nicht rückgängig machen. Seine Token funktionieren sofort nicht mehr, seine Schlüssel und Verbindungen werden widerrufen, und offene Anfragen werden abgelehnt.',
      confirm: 'Endgültig widerrufen',
    },
  },
};

export const keyTexts: Translated<typeof english.keyTexts> = {
  title: 'Schlüssel',
  lead: 'Der Agent meldet sich mit einem Schlüssel an. Der Dienst kennt nur dessen öffentliche Hälfte.',
  table: 'Schlüssel dieses Agenten',
  heads: {
    kid: 'Name (kid)',
    status: 'Status',
    until: 'Gültig bis',
    since: 'Registriert',
    acts: 'Aktionen',
  },
  statuses: {
    pending_proof: 'Nicht nachgewiesen',
    active: 'Gültig',
    revoked: 'Widerrufen',
    expired: 'Abgelaufen',
  },
  noEnd: 'Kein Ende gesetzt',
  empty: 'Dieser Agent hat noch keinen Schlüssel.',
  revoke: {
    action: 'Widerrufen',
    title: 'Diesen Schlüssel widerrufen?',
    text: 'Das lässt sich nicht rückgängig machen. Token, die mit ihm erstellt wurden, funktionieren sofort nicht mehr. Der Agent braucht dann einen anderen Schlüssel.',
    confirm: 'Schlüssel widerrufen',
  },
  make: {
    title: 'Schlüssel erstellen',
    lead: 'Der Schlüssel entsteht in diesem Browser. Nur seine öffentliche Hälfte und eine Signatur verlassen ihn. Die private Hälfte laden Sie dann einmal als Datei herunter.',
    kid: 'Name des Schlüssels (kid)',
    kidHint:
      'Er begleitet jede Anmeldung des Agenten und kann nie wieder für einen anderen Schlüssel verwendet werden.',
    action: 'Schlüssel erstellen',
    busy: 'Schlüssel wird erstellt und nachgewiesen …',
  },
  download: {
    title: 'Privaten Schlüssel jetzt herunterladen',
    text: 'Er existiert nur auf dieser Seite und ist weg, wenn Sie sie verlassen oder neu laden. Geben Sie die Datei auf sicherem Weg an den Agenten und halten Sie sie aus E-Mail, Chat und Repositorys heraus.',
    action: 'Privaten Schlüssel herunterladen',
    again: 'Noch einmal herunterladen',
    forget: 'Ich habe die Datei: Schlüssel hier löschen',
    saved:
      'Die Datei wurde an Ihren Browser übergeben. Wenn sie da ist, löschen Sie den Schlüssel auf dieser Seite.',
    forgotten: 'Diese Seite hat den privaten Schlüssel nicht mehr.',
    leave: {
      title: 'Ohne den privaten Schlüssel gehen?',
      text: 'Er wurde noch nicht heruntergeladen, existiert nur auf dieser Seite und ist weg, wenn Sie sie verlassen.',
      confirm: 'Gehen und den Schlüssel verlieren',
    },
    lost: 'Vor dem Speichern verloren? Widerrufen Sie diesen Schlüssel und erstellen Sie einen anderen; sonst ist nichts betroffen.',
  },
  handover: {
    title: 'Was Sie Ihrem Entwickler geben',
    lead: 'Zusammen mit der Schlüsseldatei und sonst nichts. Nichts davon ist für sich geheim.',
    agentId: 'Kennung des Agenten',
    kid: 'Name des Schlüssels (kid)',
    baseUrl: 'Basis-URL',
    sample: 'Beispiel: von der Schlüsseldatei bis zur Zahlung',
    sampleLabel: 'Beispiel für einen Agenten in TypeScript',
    copySample: 'Beispiel',
    docs: 'API-Referenz',
  },
};

export const callTexts: Translated<typeof english.callTexts> = {
  title: 'Letzte Aufrufe',
  lead: 'Was dieser Agent in den letzten sieben Tagen aufgerufen hat, das Neueste zuerst, nach wenigen Sekunden. Inhalte werden nicht aufbewahrt.',
  table: 'Letzte Aufrufe',
  heads: { when: 'Wann', operation: 'Aufruf', status: 'Status', took: 'Dauer', id: 'Kennung des Aufrufs' },
  ms: (ms) => `${ms} ms`,
  empty: {
    title: 'Noch kein Aufruf',
    text: 'Sobald der Agent den Dienst aufruft, stehen seine Aufrufe hier.',
  },
};
