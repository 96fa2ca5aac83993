import type * as english from '../../wallet/progress.ts';
import type { Translated } from '../translated.ts';

export const progress: Translated<typeof english.progress> = {
  title: 'Stand der Zahlung',
  steps: { pending: 'Angefragt', signed: 'Freigegeben', broadcasted: 'Gesendet', confirmed: 'Bestätigt' },
  label: 'Schritte dieser Zahlung',
  next: 'Wie es weitergeht',
  receipt: 'Beleg',
  done: 'Fertig',
  working: 'Wird signiert, gemeldet und gesendet …',
  elsewhere: {
    title: 'Mit Ihrer eigenen Wallet-App zahlen',
    text: 'Scannen Sie den Code oder kopieren Sie den Link in eine App, die Ihren Schlüssel hat. Vergleichen Sie, was sie zeigt, mit den Angaben oben, bevor Sie dort bestätigen.',
    qr: 'Zahlungslink als QR-Code',
    link: 'Zahlungslink',
    open: 'In einer Wallet-App öffnen',
    standard: (name) => `Form des Links: ${name}.`,
    noUri:
      'Für dieses Netzwerk gibt es keinen Zahlungslink, der alle Angaben enthält. Geben Sie Adresse, Betrag und Memo von Hand ein, genau wie oben.',
    altered:
      'Der Zahlungslink des Dienstes entspricht nicht dem, was Sie freigegeben haben, und wird deshalb nicht gezeigt. Geben Sie Adresse, Betrag und Memo von Hand ein, genau wie oben, und informieren Sie den Betreiber dieses Dienstes.',
    address: 'Adresse',
    amount: 'Betrag',
    memo: 'Memo',
    hashMemo: 'Memo (Hash)',
    needsMemo:
      'Lassen Sie das Memo nicht weg: Ohne es kann der Zahlungsempfänger die Zahlung nicht zuordnen.',
  },
  hash: {
    label: 'Transaktions-Hash',
    hint: 'Die App zeigt ihn nach dem Senden. Er ist öffentlich und ändert sich nach der Meldung nie mehr.',
    action: 'Als gesendet melden',
    invalid: 'Ein Transaktions-Hash hat 1 bis 256 Buchstaben, Ziffern und Zeichen, ohne Leerzeichen.',
    invalidStellar: 'Ein Transaktions-Hash von Stellar hat 64 hexadezimale Ziffern.',
  },
  notPaid: {
    action: 'Ich habe nicht gezahlt',
    title: 'Melden, dass nichts gezahlt wurde?',
    text: 'Die Anfrage wird als fehlgeschlagen geschlossen. Tun Sie das nur, wenn nichts gesendet wurde: Eine Zahlung, die unterwegs ist, kann von hier nicht zurückgerufen werden.',
    confirm: 'Als fehlgeschlagen melden',
  },
  sent: {
    text: 'Die Transaktion wurde gesendet. Melden Sie sie als gezahlt, wenn das Netzwerk sie als endgültig zeigt.',
    confirm: 'Als gezahlt melden',
    failed: {
      action: 'Das Netzwerk hat sie abgelehnt',
      title: 'Melden, dass das Netzwerk sie abgelehnt hat?',
      text: 'Nur, wenn das Netzwerk die Transaktion als fehlgeschlagen zeigt. Das lässt sich später nicht ändern.',
      confirm: 'Als fehlgeschlagen melden',
    },
  },
  interrupted: {
    title: 'Sie haben dies auf diesem Gerät freigegeben, und es wurde unterbrochen',
    text: 'Es wird nichts ein zweites Mal signiert: Die signierte Zahlung wird dort fortgesetzt, wo sie unterbrochen wurde.',
    action: 'Fortsetzen',
  },
  unreachable: {
    title: 'Signiert, aber nicht gesendet',
    text: 'Das Netzwerk war nicht erreichbar, das Ergebnis ist noch nicht bekannt. Die signierte Transaktion bleibt in diesem Browser und kann später gesendet werden; sie wird nie ein zweites Mal signiert.',
    action: 'Erneut senden',
  },
  refused: {
    title: 'Signiert, aber vorerst abgelehnt',
    text: 'Das Netzwerk hat die Transaktion nicht angenommen. Es kann das später tun: Was signiert wurde, bleibt in diesem Browser, und nichts wird ein zweites Mal signiert.',
    action: 'Erneut senden',
  },
  reading: 'Prüfen, was dieses Gerät darüber weiß …',
  otherDevice: {
    title: 'Auf einem anderen Gerät signiert',
    text: 'Ein anderes Gerät dieser Wallet hat diese Zahlung freigegeben und führt sie aus. Zahlen Sie sie hier nicht noch einmal.',
    action: 'Auf diesem Gerät übernehmen',
    question: 'Diese Zahlung übernehmen?',
    warning:
      'Nur, wenn das andere Gerät verloren ist oder nicht mehr melden kann. Es hat die Zahlung vielleicht schon gesendet oder sendet sie noch. Von da an meldet dieses Gerät das Ergebnis, und das andere kann es nicht mehr.',
    confirm: 'Übernehmen',
    taken:
      'Dieses Gerät meldet jetzt für das, das signiert hat. Prüfen Sie die Zahlung im Netzwerk, bevor Sie melden: Von hier wird nichts gezahlt.',
  },
  final: {
    paid: 'Gezahlt und bestätigt.',
    reported: 'Sie haben sie als gezahlt gemeldet. Niemand hat das auf der Blockchain geprüft.',
    contradicted:
      'Sie wurde als gezahlt gemeldet, aber die Blockchain zeigt etwas anderes. Sehen Sie die Transaktion an.',
    failed: 'Diese Zahlung ist fehlgeschlagen. Mit dieser Anfrage geschieht nichts mehr.',
    rejected: 'Abgelehnt. Es wurde nichts gezahlt.',
    expired: 'Vor einer Entscheidung abgelaufen. Es wurde nichts gezahlt.',
    cancelled: 'Vom Agenten oder vom Händler zurückgezogen. Es wurde nichts gezahlt.',
  },
  notFinal: 'Sie haben sie als gezahlt gemeldet. Die Blockchain zeigt sie nicht als endgültig.',
  txHash: 'Transaktion',
  reason: 'Grund',
  ownWords: 'In Worten',
  reasons: { not_paid: 'Ich habe nicht gezahlt', network_refused: 'Das Netzwerk hat sie abgelehnt' },
};
