import type * as english from '../verify.ts';
import type { Translated } from './translated.ts';

export * from './common.ts';

export const verify: Translated<typeof english.verify> = {
  title: 'Zahlungsnachweis prüfen',
  lead: 'Wählen Sie den Zahlungsnachweis. Er wird hier in Ihrem Browser geprüft und nirgendwohin gesendet.',
  bundle: 'Zahlungsnachweis (eine JSON-Datei)',
  keys: 'Schlüssel des Dienstes (optional)',
  keysHint:
    'Eine Kopie von /.well-known/svc-keys.json, die Sie aufbewahrt haben. Ohne sie gelten die Schlüssel, die dieser Dienst jetzt veröffentlicht, und Sie verlassen sich auf seine Angabe.',
  noKeys: 'Die Schlüssel dieses Dienstes sind nicht lesbar: Wählen Sie eine Datei mit ihnen.',
  badKeys: 'Diese Datei ist keine Liste von Schlüsseln.',
  allHold: 'Alles, was behauptet wird, stimmt.',
  onlyWord:
    'Was als Angabe des Dienstes bezeichnet ist, wird von keiner Signatur und keinem Beleg in diesem Nachweis gezeigt.',
  broken: 'Etwas, das behauptet wird, stimmt nicht.',
  claims: 'Behauptungen',
  statuses: {
    holds: 'stimmt',
    broken: 'stimmt nicht',
    not_claimed: 'nicht behauptet',
    service_word: 'Angabe des Dienstes',
  },
  marks: { holds: '✓', broken: '✗', not_claimed: '–', service_word: '•' },
  names: {
    bundle: 'Ein Dokument in seiner einzigen Schreibweise',
    service_signature: 'Vom Dienst signiert',
    payee: 'Der Zahlungsempfänger und der Prüfwert seines Nachweises',
    looked_up: 'Die Abfrage der Domain',
    facts: 'Die Angaben zur Zahlung',
    created_with: 'Womit die Anfrage gestellt wurde',
    payee_logged: 'Der Zahlungsempfänger stand vorher im Transparenzlog',
    context: 'Die festgehaltenen Worte',
    decision_key: 'Der Schlüssel des Geräts',
    decision: 'Die Entscheidung, vom Gerät signiert',
    decision_logged: 'Die Entscheidung steht im Transparenzlog',
    history: 'Die Ereignisse',
    final_logged: 'Das Ende steht im Transparenzlog',
    settlement: 'Was die Blockchain zeigte',
    log: 'Belege des Transparenzlogs',
    checkpoint: 'Ein Checkpoint aus anderer Quelle',
    witnesses: 'Zeugen des Transparenzlogs',
  },
};
