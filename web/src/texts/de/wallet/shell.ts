import type * as english from '../../wallet/shell.ts';
import type { Translated } from '../translated.ts';

export const shell: Translated<typeof english.shell> = {
  product: 'Wallet',
  skip: 'Zum Inhalt springen',
  nav: {
    label: 'Wallet',
    inbox: 'Eingang',
    activity: 'Verlauf',
    connect: 'Verbinden',
    agents: 'Agenten',
    policies: 'Regeln',
    security: 'Sicherheit',
    notifications: 'Hinweise',
    devices: 'Geräte',
    testKey: 'Testschlüssel',
    more: 'Mehr',
    rest: 'Weitere Seiten',
  },
  install: {
    title: 'Wallet installieren',
    text: 'Sie bekommt ein eigenes Symbol und öffnet sich in einem eigenen Fenster. Sonst ändert sich nichts.',
    byHand: 'In Safari: Öffnen Sie das Teilen-Menü und wählen Sie „Zum Home-Bildschirm“.',
    action: 'Installieren',
    dismiss: 'Jetzt nicht',
  },
  waiting: (count) => `${count} wartend`,
  cut: (count) => `Hier werden nur die neuesten ${count} gelesen. Es kann ältere geben.`,
  notFound: {
    title: 'Diese Seite gibt es nicht',
    text: 'Die Adresse ist vielleicht falsch geschrieben oder veraltet.',
    action: 'Zum Eingang',
  },
  gone: {
    title: 'Dieses Gerät wurde entfernt',
    text: 'Ein anderes Gerät der Wallet hat dieses entfernt, oder sein Zugang wurde ersetzt. Hier kann nichts mehr entschieden werden. Ein Neubeginn löscht, was hier signiert, aber nicht gesendet wurde. Treten Sie mit einem Verknüpfungscode von einem anderen Gerät oder mit Ihrem Wiederherstellungscode wieder bei.',
    action: 'Auf diesem Gerät neu beginnen',
  },
  insecure: {
    title: 'Die Wallet braucht eine sichere Adresse',
    text: 'Ein Browser bewahrt Geheimnisse nur für Seiten auf, die er über https oder auf diesem Rechner (localhost) erreicht hat. Fragen Sie den Betreiber nach der https-Adresse dieses Dienstes und öffnen Sie die Wallet dort.',
  },
  storage: {
    title: 'Dieser Browser speichert nichts für die Wallet',
    text: 'Die Wallet braucht den Speicher des Browsers (IndexedDB) für ihren Zugang. Verlassen Sie den privaten Modus oder erlauben Sie dieser Seite das Speichern und laden Sie sie dann neu.',
  },
};

export const security: Translated<typeof english.security> = {
  title: 'Sicherheit',
  intro: 'Wer mit dieser Wallet entscheiden kann, und wie Sie wieder hineinkommen.',
};

export const notifications: Translated<typeof english.notifications> = { title: 'Hinweise' };

export const enrol: Translated<typeof english.enrol> = {
  waiting: {
    title: 'Eine Zahlungsanfrage wartet',
    text: 'Sie lässt sich nur in der Wallet öffnen, an die sie ging, und dieser Browser hat keine. Öffnen Sie den Link in dem Browser, der Ihre Wallet hat, oder nehmen Sie diesen Browser in Ihre Wallet auf: mit einem Verknüpfungscode von einem anderen Gerät oder mit Ihrem Wiederherstellungscode. Eine neue Wallet zeigt diese Anfrage nicht.',
  },
  title: 'Ihre Wallet',
  intro:
    'Agenten bitten um Zahlungen, Sie entscheiden hier. Diese Wallet hat kein Geld und keinen Schlüssel für echtes Geld: Sie zeigt jede Anfrage genau so, wie sie festgehalten wurde, und meldet Ihre Entscheidung.',
  choices: {
    label: 'So beginnen Sie',
    ways: { new: 'Neue Wallet', link: 'Mit Code beitreten', recovery: 'Wiederherstellen' },
  },
  deviceName: { label: 'Name dieses Geräts', hint: 'Damit Sie es in der Liste Ihrer Geräte erkennen.' },
  defaultDeviceName: 'Mein Browser',
  create: 'Wallet erstellen',
  join: 'Dieser Wallet beitreten',
  recover: 'Wallet wiederherstellen',
  linkCode: {
    label: 'Verknüpfungscode',
    hint: 'Auf einem Gerät, das schon in der Wallet ist: „Geräte“, dann „Weiteres Gerät verknüpfen“. Der Code funktioniert einmal, zehn Minuten lang.',
    typo: 'Das ist kein Verknüpfungscode. Er hat 56 Zeichen und beginnt mit svc_lc_. Groß- und Kleinbuchstaben zählen.',
    refused: {
      title: 'Dieser Verknüpfungscode funktioniert nicht.',
      next: 'Er wurde schon verwendet oder ist älter als zehn Minuten. Erstellen Sie auf dem anderen Gerät einen neuen.',
    },
  },
  recoveryCode: {
    label: 'Wiederherstellungscode',
    hint: 'Der Code, der beim Erstellen der Wallet gezeigt wurde. Er funktioniert einmal und wird dann durch einen neuen ersetzt.',
    typo: 'Prüfen Sie auf Tippfehler: Ein Wiederherstellungscode hat 56 Zeichen und beginnt mit svc_rc_. Groß- und Kleinbuchstaben zählen, Leerzeichen nicht.',
    refused: {
      title: 'Dieser Wiederherstellungscode funktioniert nicht.',
      next: 'Er wurde schon verwendet, oder ein neuerer hat ihn ersetzt. Suchen Sie den neuesten oder treten Sie mit einem Verknüpfungscode von einem Gerät bei, das noch in der Wallet ist.',
    },
  },
  newExplains:
    'Eine neue Wallet beginnt mit diesem Gerät. Sie erhalten einen Wiederherstellungscode, der einmal gezeigt wird, für den Tag, an dem alle Geräte verloren sind.',
  kept: {
    title: 'Wiederherstellungscode aufbewahren',
    name: 'Wiederherstellungscode',
    why: 'Er bringt Sie in diese Wallet zurück, wenn alle ihre Geräte verloren sind. Wer ihn hat, kann Ihrer Wallet beitreten. Bewahren Sie ihn deshalb wie einen Schlüssel auf: auf Papier oder in einem Passwortmanager. Er bleibt hier, bis Sie nachgewiesen haben, dass Sie ihn haben, und wird nicht noch einmal gezeigt.',
    kit: 'PayAssent: Blatt zur Wiederherstellung',
    kitHow: (address) =>
      `Öffnen Sie ${address}, wählen Sie „Wiederherstellen“ und geben Sie diesen Code ein oder scannen Sie ihn:`,
    kitSecret:
      'Wer diesen Code hat, kann Ihrer Wallet beitreten. Er funktioniert einmal und wird dann durch einen neuen ersetzt.',
    download: 'Blatt herunterladen',
    print: 'Drucken',
    proof: {
      label: 'Letzte vier Zeichen des Codes',
      hint: 'Geben Sie sie von dort ein, wo Sie den Code aufbewahren.',
      wrong: 'Das sind nicht die letzten vier Zeichen. Groß- und Kleinbuchstaben zählen.',
    },
    action: 'Wallet öffnen',
  },
  signOutOthers: {
    label: 'Alle anderen Geräte der Wallet sofort abmelden',
    hint: 'Wählen Sie das, wenn ein Gerät gestohlen wurde: Es kann dieses dann nicht mehr entfernen.',
  },
  others: {
    title: 'Die anderen Geräte abmelden?',
    why: 'Diese Geräte sehen weiter Ihren Eingang und dürfen entscheiden. Melden Sie sie ab, wenn eines verloren oder nicht Ihres ist. Jedes kann mit einem Verknüpfungscode zurückkommen.',
    signOut: 'Alle abmelden',
    keep: 'Angemeldet lassen',
  },
};

export const pendingChanges: Translated<typeof english.pendingChanges> = {
  title: 'Die Schlüssel Ihrer Wallet sollen geändert werden',
  short:
    'Ein Gerät hat ohne die Signatur eines Schlüssels eine Änderung angefordert. Waren Sie das nicht, brechen Sie sie ab.',
  look: 'Änderung ansehen',
  lead: 'Ein Gerät hat ohne die Signatur eines Schlüssels diese Änderungen angefordert. Jede gilt nach 24 Stunden, wenn Sie sie nicht abbrechen. Waren Sie das nicht, brechen Sie die Änderung ab und entfernen Sie das Gerät.',
  acts: {
    set_key: 'Ein neuer Entscheidungsschlüssel für ein Gerät',
    remove_key: 'Entscheidungsschlüssel eines Geräts entfernen',
    delete_device: 'Ein Gerät mit Entscheidungsschlüssel entfernen',
    recovery_code: 'Neuen Wiederherstellungscode erstellen',
  },
  device: 'Gerät:',
  requestedBy: 'Angefordert von:',
  takesEffect: 'Gilt ab:',
  cancel: 'Änderung abbrechen',
};

export const devices: Translated<typeof english.devices> = {
  title: 'Geräte',
  intro:
    'Jedes Gerät hier sieht denselben Eingang und darf entscheiden. Nur das erste, das eine Zahlung freigibt, kann sie senden.',
  joined: {
    title: 'Ein neues Gerät ist dieser Wallet beigetreten',
    text: 'Waren Sie das nicht, entfernen Sie es unter „Geräte“ und erstellen Sie einen neuen Wiederherstellungscode.',
    mine: 'Das war ich',
    look: 'Geräte ansehen',
  },
  thisDevice: 'Dieses Gerät',
  added: 'Hinzugefügt',
  platform: 'Plattform',
  link: {
    action: 'Weiteres Gerät verknüpfen',
    title: 'Weiteres Gerät verknüpfen',
    how: 'Öffnen Sie diese Wallet auf dem anderen Gerät, wählen Sie „Mit Code beitreten“ und scannen Sie diesen Code oder geben Sie ihn ein.',
    name: 'Verknüpfungscode',
    qr: 'Verknüpfungscode als QR-Code',
    secret: 'Wer diesen Code hat, kann Ihrer Wallet beitreten. Er funktioniert einmal.',
    expired: 'Der Code ist abgelaufen. Erstellen Sie einen neuen.',
    again: 'Neuen Code erstellen',
  },
  recovery: {
    title: 'Wiederherstellungscode',
    how: 'Er bringt die Wallet zurück, wenn alle Geräte verloren sind. Erstellen Sie einen neuen, wenn Sie ihn nicht mehr haben oder jemand ihn gesehen haben könnte.',
    action: 'Neuer Wiederherstellungscode',
    question: 'Neuen Wiederherstellungscode erstellen?',
    text: 'Der alte funktioniert sofort nicht mehr. Halten Sie einen Ort bereit, an dem Sie den neuen aufbewahren.',
    confirm: 'Neuen Code erstellen',
    lost: {
      title: 'Ihr letzter Wiederherstellungscode wurde nicht gezeigt.',
      text: 'Die Seite wurde zu früh geschlossen. Der Code davor funktioniert vielleicht nicht mehr. Erstellen Sie jetzt einen neuen.',
    },
  },
  rotate: {
    action: 'Zugang erneuern',
    title: 'Zugang dieses Geräts erneuern?',
    text: 'Das Gerät bekommt ein neues Geheimnis, und das alte funktioniert nicht mehr. Tun Sie das, wenn Sie denken, dass jemand es kopiert haben könnte. Sonst ändert sich nichts.',
    confirm: 'Erneuern',
    done: 'Der Zugang wurde erneuert.',
  },
  remove: {
    action: 'Entfernen',
    title: (isThis) => (isThis ? 'Dieses Gerät entfernen?' : 'Dieses Gerät aus der Wallet entfernen?'),
    other:
      'Es kann ab jetzt nichts mehr sehen oder entscheiden. Zahlungen, die es schon freigegeben hat, kann es nicht mehr melden.',
    self: 'Dieser Browser löscht die Wallet und damit, was hier signiert, aber noch nicht gesendet wurde: Senden Sie das zuerst. Für die Rückkehr brauchen Sie einen Verknüpfungscode von einem anderen Gerät oder Ihren Wiederherstellungscode.',
    last: 'Es ist das letzte Gerät: Jede Verbindung der Wallet wird widerrufen, und wartende Anfragen werden abgelehnt. Nur der Wiederherstellungscode führt zurück.',
    confirm: 'Gerät entfernen',
  },
};
