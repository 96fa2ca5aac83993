import type * as english from '../../wallet/stellar.ts';
import type { Translated } from '../translated.ts';

export const stellar: Translated<typeof english.stellar> = {
  signer: {
    otherNetwork: 'Dieser Browser signiert nur Zahlungen des Stellar-Testnetzwerks.',
    noKey:
      'In diesem Browser ist kein Testschlüssel. Erstellen Sie einen unter „Testschlüssel“ oder zahlen Sie mit einer anderen Wallet.',
    make: 'Testschlüssel mit Spielgeld erstellen',
    note: (address) =>
      `Dieser Browser signiert mit seinem Testschlüssel ${address.slice(0, 4)}…${address.slice(-4)} und sendet die Zahlung an das Testnetzwerk.`,
    unfunded:
      'Das Konto des Testschlüssels gibt es noch nicht. Holen Sie zuerst unter „Testschlüssel“ Lumen vom Faucet.',
    tooLittle: 'Das Guthaben reicht nicht für diese Zahlung und ihre Gebühr. Es wurde nichts signiert.',
    neverReached:
      'Das Testnetzwerk wurde mit diesem Konto noch nicht erreicht, deshalb kann nichts signiert werden. Versuchen Sie es, wenn es erreichbar ist.',
    reasons: {
      tx_bad_seq:
        'Eine frühere Zahlung dieses Kontos ist signiert, aber nicht gesendet. Senden Sie zuerst diese oder warten Sie, bis sie abgelaufen ist',
      tx_insufficient_balance: 'Das Guthaben reicht nicht',
      tx_insufficient_fee: 'Das Testnetzwerk ist ausgelastet und verlangt eine höhere Gebühr',
    },
    noReason: 'kein Grund angegeben',
    refused: (codes) => `Das Testnetzwerk hat die Zahlung abgelehnt: ${codes}.`,
  },
  cost: {
    enough: ({ balance, fee }, asset) => `Guthaben ${balance} ${asset}, Gebühr höchstens ${fee} XLM`,
    tooLittle: ({ balance }, asset) =>
      `Guthaben ${balance} ${asset}: nicht genug für diese Zahlung und ihre Gebühr`,
    looking: 'Guthaben wird gelesen …',
    unreachable: 'Guthaben unbekannt: Das Testnetzwerk ist nicht erreichbar',
    unfunded: 'Das zahlende Konto gibt es noch nicht',
  },
  freighter: {
    action: 'Mit Freighter signieren',
    note: 'Die Browser-Erweiterung Freighter zeigt diese Zahlung und signiert sie. Sie muss auf das Testnetzwerk eingestellt sein.',
    silent: 'Freighter hat nicht geantwortet. Es wurde nichts signiert.',
    declined:
      'Freighter hat nicht signiert: Sie haben abgelehnt, oder es ist gesperrt. Es wurde nichts signiert.',
    otherNetwork:
      'Freighter ist auf ein anderes Netzwerk eingestellt. Stellen Sie es auf das Testnetzwerk um und versuchen Sie es erneut.',
    unfunded: 'Das Konto in Freighter gibt es im Testnetzwerk noch nicht.',
    swapped:
      'Freighter hat etwas anderes zurückgegeben als die hier gezeigte Zahlung. Es wurde nichts gesendet oder gemeldet. Prüfen Sie die Erweiterung, bevor Sie sie wieder verwenden.',
  },
  page: {
    title: 'Testschlüssel',
    lead: 'Ein Schlüssel des Stellar-Testnetzwerks, der in diesem Browser liegt. Er zahlt nur mit Spielgeld und ist weg, wenn die Daten dieser Website gelöscht werden.',
    none: {
      title: 'Noch kein Testschlüssel',
      text: 'Mit einem Testschlüssel kann diese Wallet Zahlungen des Testnetzwerks selbst signieren, damit Sie den ganzen Weg sehen. Bringen Sie nie einen Schlüssel mit echtem Wert hierher.',
      create: 'Testschlüssel erstellen',
      importLabel: 'Geheimer Seed des Testnetzwerks',
      importHint:
        'Beginnt mit S. Nur der Seed eines Testkontos: PayAssent fragt nie nach einem Schlüssel, an dem Geld hängt. Er bleibt in diesem Browser und wird nirgendwohin gesendet.',
      importAction: 'Diesen Seed verwenden',
      fault: 'Dieser Browser konnte den Schlüssel nicht erstellen oder aufbewahren.',
      faultNext:
        'Erlauben Sie dieser Seite das Speichern oder verwenden Sie einen neueren Browser: Er muss Ed25519-Schlüssel kennen. Versuchen Sie es dann erneut.',
      notASeed: 'Ein geheimer Seed beginnt mit S und hat 56 Zeichen. Kopieren Sie ihn ganz.',
    },
    address: 'Adresse',
    balance: 'Guthaben',
    balances: {
      unfunded: 'Das Konto gibt es noch nicht: Es braucht Lumen vom Faucet.',
      unreachable:
        'Das Testnetzwerk ist nicht erreichbar. Was vorher signiert wurde, wird gesendet, wenn es wieder erreichbar ist.',
      looking: 'Testnetzwerk wird abgefragt …',
    },
    faucet: {
      action: 'Lumen vom Faucet holen',
      asking: 'Der Faucet wird abgefragt. Das dauert einige Sekunden …',
      failed: 'Der Faucet hat nichts gegeben.',
      next: 'Er ist vielleicht ausgelastet oder nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    },
    reveal: {
      action: 'Geheimen Seed zeigen',
      title: 'Geheimen Seed zeigen?',
      text: 'Wer den Seed hat, kann ausgeben, was dieser Schlüssel hält. Zeigen Sie ihn nur, wenn niemand sonst Ihren Bildschirm sehen kann.',
      confirm: 'Zeigen',
      name: 'Geheimer Seed',
    },
    remove: {
      action: 'Schlüssel entfernen',
      title: 'Testschlüssel entfernen?',
      text: 'Er kann ohne seinen Seed nicht zurückgeholt werden, und was sein Konto hält, ist ohne ihn unerreichbar.',
      confirm: 'Entfernen',
    },
  },
};
