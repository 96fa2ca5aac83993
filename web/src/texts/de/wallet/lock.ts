import type * as english from '../../wallet/lock.ts';
import type { Translated } from '../translated.ts';

export const lock: Translated<typeof english.lock> = {
  title: 'Sperre vor Freigaben',
  lead: 'Ohne Sperre kann jeder, der dieses Gerät entsperrt in der Hand hat, darin freigeben. Mit einer Sperre fragt die Wallet nach einer PIN oder einem Passkey, bevor sie eine Zahlung freigibt, den geheimen Seed zeigt, ein Gerät hinzufügt, einer Regel zustimmt, einen neuen Wiederherstellungscode erstellt oder ihre Schlüssel oder diese Sperre ändert. Ablehnen braucht keines von beiden.',
  now: {
    off: 'Die Sperre ist aus.',
    pin: 'Diese Wallet fragt nach einer PIN.',
    passkey: 'Diese Wallet fragt nach einem Passkey.',
  },
  kind: 'Sperre dieses Geräts',
  kinds: { off: 'Aus', pin: 'PIN', passkey: 'Passkey' },
  pin: {
    label: 'PIN',
    fresh: 'Neue PIN',
    hint: 'Mindestens 6 Ziffern. Mehr sind besser.',
    keep: 'Mindestens 6 Ziffern. Leer lassen, um die PIN zu behalten.',
    again: 'PIN wiederholen',
    short: 'Eine PIN hat mindestens 6 Ziffern.',
    easy: 'Diese PIN ist leicht zu erraten. Wählen Sie eine andere.',
    differs: 'Die beiden PINs sind verschieden.',
    explains: [
      'Die PIN wird nirgends gespeichert. Sie verschlüsselt den Testschlüssel in diesem Browser, deshalb fragt die Wallet nach jedem Start einmal nach ihr, bevor dieser Schlüssel signiert. Auch automatische Zahlungen warten darauf.',
      'Der Schlüssel, der Ihre Entscheidungen signiert, ist nicht verschlüsselt, weil Ablehnen keine Sperre braucht. Verwenden Sie einen Passkey als Entscheidungsschlüssel, wenn eine Kopie der Daten dieses Browsers nicht entscheiden können soll.',
    ],
    lost: (most) =>
      `Nach ${most} falschen PINs wird der Testschlüssel in diesem Browser gelöscht, und dieses Gerät muss neu angemeldet werden, mit Ihrem Wiederherstellungscode oder einem Verknüpfungscode. Bewahren Sie den Seed und den Wiederherstellungscode anderswo auf.`,
  },
  passkey: {
    explains:
      'Der Browser verlangt Ihren Finger, Ihr Gesicht oder Ihre Bildschirmsperre. Wo Ihre Entscheidungen mit einem Passkey signiert werden, gilt derselbe, und er fragt einmal. Er verschlüsselt nichts: Der Testschlüssel bleibt für jeden lesbar, der die Daten dieses Browsers kopieren kann.',
    name: (device) => `${device} (Wallet-Sperre)`,
  },
  when: 'Sperre',
  whens: { always: 'Bei jeder Zahlung', above: 'Bei Zahlungen über einem Betrag' },
  above: (asset, network) => `Über so viel ${asset} (${network})`,
  aboveHint:
    'Leer: Die Wallet fragt bei jeder Zahlung in diesem Asset. Bei Assets, die nicht in der Liste stehen, fragt sie immer.',
  issuedBy: (asset, origin) => `${asset} von ${origin.slice(0, 4)}…${origin.slice(-4)}`,
  invalidAmount: 'Schreiben Sie eine einfache Zahl mit Punkt, etwa 100 oder 0.5.',
  save: 'Diese Sperre setzen',
  saved: 'Die Sperre ist gesetzt.',
  shut: 'Der Testschlüssel in diesem Browser ist gesperrt. Entsperren Sie ihn zuerst mit Ihrer PIN.',
  ask: {
    title: 'Sind Sie es?',
    acts: {
      approve: 'Bestätigen Sie, dass Sie diese Zahlung freigeben.',
      seed: 'Bestätigen Sie, dass Sie den geheimen Seed sehen möchten.',
      testKey: 'Entsperren Sie die Wallet, um einen Testschlüssel darin aufzubewahren.',
      link: 'Bestätigen Sie, dass Sie Ihrer Wallet ein Gerät hinzufügen möchten.',
      endorse: 'Bestätigen Sie, dass Sie für ein anderes Gerät bürgen.',
      decisionKey: 'Bestätigen Sie, dass Sie ändern möchten, wie Entscheidungen signiert werden.',
      optIn: 'Bestätigen Sie, dass Sie dieser Regel zustimmen.',
      recovery: 'Bestätigen Sie, dass Sie einen neuen Wiederherstellungscode möchten.',
      change: 'Bestätigen Sie, dass Sie die Sperre ändern möchten.',
      unlock: 'Entsperren Sie den Testschlüssel, damit automatische Zahlungen signiert werden können.',
    },
    action: 'Bestätigen',
    wrong: 'Das ist nicht die PIN. Es wurde nichts ausgeführt.',
    left: (left) =>
      `${left === 1 ? 'Ein Versuch bleibt' : `${left} Versuche bleiben`}. Danach wird der Testschlüssel in diesem Browser gelöscht, und dieses Gerät muss neu angemeldet werden, mit Ihrem Wiederherstellungscode oder einem Verknüpfungscode.`,
    pause: (time) => `Warten Sie ${time} bis zum nächsten Versuch.`,
    passkey: 'Warten auf Ihren Passkey …',
    refused: 'Es wurde kein Passkey verwendet. Es wurde nichts ausgeführt.',
    lostPasskey:
      'Ist der Passkey verloren, entfernen Sie dieses Gerät und treten Sie mit Ihrem Wiederherstellungscode oder einem Verknüpfungscode wieder bei.',
    again: 'Erneut versuchen',
  },
  usedUp: {
    title: 'Zu viele falsche PINs',
    text: 'Der Testschlüssel in diesem Browser wurde gelöscht, und dieses Gerät gibt nichts mehr frei. Sie können noch ablehnen. Um weiterzumachen, verlassen Sie die Wallet in diesem Browser und melden Sie ihn neu an, mit Ihrem Wiederherstellungscode oder einem Verknüpfungscode.',
    action: 'Wallet verlassen',
    question: 'Wallet in diesem Browser verlassen?',
    confirm: 'Verlassen',
  },
  waits: {
    title: 'Automatische Zahlungen warten auf Ihre PIN',
    text: 'Nach jedem Start muss der Testschlüssel in diesem Browser einmal entsperrt werden.',
    action: 'Entsperren',
  },
};
