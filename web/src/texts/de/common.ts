import type * as english from '../common.ts';
import type { Translated } from './translated.ts';

export const common: Translated<typeof english.common> = {
  product: 'PayAssent',
  cancel: 'Abbrechen',
  close: 'Schließen',
  loading: 'Wird geladen …',
  nameNotShown: '(Name nicht angezeigt)',
  tryAgain: 'Erneut versuchen',
  copy: {
    action: 'Kopieren',
    label: (name) => `${name} kopieren`,
    copied: 'Kopiert.',
    refused: 'Kopieren ist hier nicht erlaubt: Markieren Sie den Text und kopieren Sie ihn.',
    shownOnce: (name) =>
      `${name}: wird nur jetzt angezeigt. Bewahren Sie dies sicher auf, bevor Sie fortfahren.`,
  },
  theme: { dark: 'Dunkel', light: 'Hell' },
  errors: {
    fixFields:
      'Es wurde nichts gespeichert. Korrigieren Sie die markierten Felder und versuchen Sie es erneut.',
    reference: 'Kennung für den Betreiber:',
    tryAgain: 'Versuchen Sie es gleich noch einmal.',
    secondOwner: 'Noch hat sich nichts geändert: Ein zweiter Inhaber muss zustimmen.',
    secondOwnerNext: 'Alle Inhaber haben eine E-Mail erhalten. Der Antrag steht 24 Stunden unter „Anträge“.',
    changePending: 'Noch hat sich nichts geändert: Die Änderung gilt nach 24 Stunden.',
    changePendingNext:
      'Kein Schlüssel Ihrer Wallet hat sie signiert. Jedes Gerät Ihrer Wallet wird benachrichtigt und kann sie unter „Geräte“ abbrechen.',
    payeeChange: {
      title: 'Nichts hat sich geändert: Zahlungen würden damit an eine andere Stelle gehen.',
      lead: 'Das könnte jeder tun, der Ihr Postfach liest. Deshalb ist zusätzlich eines davon nötig. Passkey und zweiter Inhaber zählen nur, wenn Sie seit einem Tag Inhaber sind:',
      ways: {
        passkey:
          'Ein Passkey, der seit einem Tag wirksam ist. Registrieren Sie einen unter „Ihre Anmeldung“; melden Sie sich einen Tag, nachdem er wirksam geworden ist, damit an und aktivieren Sie diese Version.',
        dns_binding:
          'Ein Eintrag im DNS. Veröffentlichen Sie den Eintrag, den diese Seite zeigt, im DNS Ihrer Domain, die seit einem Tag nachgewiesen sein muss. Prüfen Sie diese Version danach noch einmal und aktivieren Sie sie.',
        second_owner:
          'Ein zweiter Inhaber. Laden Sie einen unter „Team“ ein. Aktivieren Sie diese Version einen Tag nach dessen erster Anmeldung: Sie wartet dann auf seine Zustimmung.',
      },
    },
    unreachable: 'Der Dienst ist nicht erreichbar.',
    offline:
      'Sie sind offline. Die Anzeige kann veraltet sein; sie wird aktualisiert, sobald Sie wieder online sind.',
    checkConnection: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut. Es ist nichts verloren.',
    unexpected: 'Auf dieser Seite ist ein unerwarteter Fehler aufgetreten.',
    reload:
      'Laden Sie die Seite neu. Tritt der Fehler wieder auf, teilen Sie dem Betreiber dieses Dienstes mit, was Sie getan haben.',
    reloadNow: 'Neu laden',
    brokenTitle: 'Etwas ist schiefgelaufen',
    outdated: 'Die Anzeige konnte nicht aktualisiert werden und ist möglicherweise veraltet.',
    happened: {
      resource_not_found: 'Das wurde nicht gefunden. Möglicherweise wurde es gelöscht.',
      link_invalid: 'Dieser Link oder Code funktioniert nicht mehr.',
      unauthenticated: 'Sie sind abgemeldet.',
    },
    byCode: {
      unavailable:
        'Warten Sie einen Moment und versuchen Sie es erneut. Nichts ist verloren, und nichts wird doppelt ausgeführt.',
      rate_limited: 'Zu viele Anfragen in kurzer Zeit. Warten Sie eine Minute und versuchen Sie es erneut.',
      internal_error:
        'Versuchen Sie es erneut. Tritt der Fehler wieder auf, nennen Sie dem Betreiber dieses Dienstes die Kennung unten.',
      csrf_invalid:
        'Möglicherweise haben Sie sich in einem anderen Fenster an- oder abgemeldet. Prüfen Sie, wer jetzt angemeldet ist, und versuchen Sie es erneut.',
      insufficient_role: 'Ein Inhaber Ihrer Organisation kann das tun oder Ihre Rolle ändern.',
      step_up_required:
        'Verwenden Sie Ihren Passkey, wenn der Browser danach fragt. Wenn Sie sich mit einem Link aus einer E-Mail angemeldet haben, melden Sie sich ab und mit dem Passkey wieder an.',
      second_person_required: 'Ein anderer Inhaber muss unter „Anträge“ zustimmen.',
      last_owner: 'Machen Sie zuerst ein anderes aktives Teammitglied zum Inhaber.',
      passkey_invalid: 'Versuchen Sie es mit einem Passkey, den Sie hier registriert haben.',
      unauthenticated: 'Melden Sie sich wieder an und wiederholen Sie den Schritt.',
      token_expired: 'Melden Sie sich wieder an und wiederholen Sie den Schritt.',
      token_rotated: 'Laden Sie die Seite neu: Ein anderes Fenster dieses Browsers hat den neueren Zugang.',
      token_revoked:
        'Dieser Zugang wurde beendet und kommt nicht wieder. Melden Sie sich neu an oder verbinden Sie sich neu.',
      version_conflict:
        'Jemand anderes hat dies inzwischen geändert. Laden Sie die Seite neu, prüfen Sie den neuen Stand und wiederholen Sie die Änderung, wenn Sie sie noch wollen.',
      invalid_status_transition: 'Der Stand hat sich inzwischen geändert. Laden Sie die Seite neu.',
      status_conflict:
        'Ein anderes Gerät hat bei dieser Zahlung schon gehandelt. Zahlen Sie nicht; laden Sie die Seite neu und folgen Sie ihr.',
      limit_reached: 'Entfernen Sie, was Sie nicht mehr brauchen, und versuchen Sie es erneut.',
      resource_not_found: 'Gehen Sie zurück zur Liste und öffnen Sie es von dort.',
      network_not_enabled:
        'Wählen Sie ein anderes Netzwerk oder bitten Sie den Betreiber dieses Dienstes, dieses freizuschalten.',
      validation_failed: 'Korrigieren Sie, was oben genannt ist, und versuchen Sie es erneut.',
      risk_rejected:
        'Entfernen Sie unsichtbare Zeichen und fremde Adressen aus dem Text und versuchen Sie es erneut.',
      payment_request_expired:
        'Zahlen Sie nicht. Wenn die Zahlung noch gewünscht ist, soll der Agent erneut anfragen.',
      invitation_closed:
        'Darüber wurde schon entschieden, oder es wurde zurückgezogen. Erstellen Sie zum Verbinden einen neuen Connect Key.',
      pairing_closed: 'Lassen Sie sich vom Agenten einen neuen Code zeigen und geben Sie diesen ein.',
      connect_key_used: 'Erstellen Sie einen neuen Connect Key.',
      connect_key_expired: 'Erstellen Sie einen neuen Connect Key.',
      connection_revoked: 'Die Verbindung ist beendet. Verbinden Sie den Agenten neu.',
      kid_conflict: 'Wählen Sie einen Namen, den noch kein Schlüssel dieses Agenten hatte.',
      evidence_mismatch: 'Prüfen Sie diese Version erneut und aktivieren Sie sie dann.',
      decision_signature_required:
        'Öffnen Sie „Geräte“, bestätigen Sie dieses Gerät auf einem anderen und entscheiden Sie dann erneut.',
      decision_signature_invalid:
        'Prüfen Sie Datum und Uhrzeit dieses Geräts, laden Sie die Seite neu und entscheiden Sie erneut.',
      policy_incomplete: 'Füllen Sie alle vier Grenzen aus und stimmen Sie dann erneut zu.',
    },
  },
};
