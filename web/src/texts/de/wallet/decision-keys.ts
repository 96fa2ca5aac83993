import type * as english from '../../wallet/decision-keys.ts';
import type { Translated } from '../translated.ts';

export const decisionKeys: Translated<typeof english.decisionKeys> = {
  title: 'Entscheidungsschlüssel dieses Geräts',
  lead: 'Er signiert jedes Ja und Nein, das Sie auf diesem Gerät geben, zusammen mit dem, was auf dem Bildschirm stand. So kann niemand, auch nicht der Betreiber dieses Dienstes, eine Entscheidung behaupten, die Sie nicht getroffen haben.',
  kinds: {
    Ed25519: 'Schlüssel dieses Browsers. Keine Seite und kein Skript kann ihn lesen.',
    webauthn: 'Passkey. Jede Entscheidung verlangt Ihren Finger, Ihr Gesicht oder Ihre PIN.',
  },
  kind: 'Art',
  thumbprint: 'Fingerabdruck',
  none: 'Dieser Browser kann keinen eigenen Schlüssel aufbewahren. Verwenden Sie einen Passkey, damit Ihre Entscheidungen signiert werden.',
  unread:
    'Der Schlüssel kann gerade nicht eingerichtet werden. Der nächste Versuch erfolgt, wenn die Wallet geöffnet wird.',
  usePasskey: {
    action: 'Passkey verwenden',
    title: 'Entscheidungen mit einem Passkey signieren?',
    text: 'Ab jetzt verlangt jede Entscheidung auf diesem Gerät Ihren Finger, Ihr Gesicht oder Ihre PIN. Der Browser fragt zweimal: einmal, um den Passkey zu erstellen, einmal, um ihn zu testen.',
    confirm: 'Passkey erstellen',
    refused:
      'Es wurde kein Passkey verwendet. Nichts hat sich geändert; versuchen Sie es, wenn Sie so weit sind.',
    address:
      'Ein Browser bietet Passkeys nur unter einem Namen an. Öffnen Sie die Wallet unter dieser Adresse:',
  },
  replace: {
    action: 'Neuer Schlüssel',
    title: 'Schlüssel dieses Geräts ersetzen?',
    text: 'Der Browser erstellt einen neuen Schlüssel, und der alte signiert nichts mehr. Was er signiert hat, bleibt prüfbar.',
    confirm: 'Neuen Schlüssel erstellen',
  },
  remove: {
    action: 'Schlüssel entfernen',
    title: 'Schlüssel dieses Geräts entfernen?',
    text: 'Dieses Gerät signiert dann nichts mehr. Solange ein anderes Gerät einen Schlüssel hat, können Zahlungen nur dort freigegeben werden. Was der Schlüssel signiert hat, bleibt prüfbar.',
    confirm: 'Schlüssel entfernen',
  },
  limit: {
    label: 'Passkey nötig über diesem Betrag',
    hint: 'Gilt für Freigaben auf diesem Gerät, unabhängig vom Asset. Leer lassen, wenn keiner nötig sein soll.',
    invalid: 'Schreiben Sie eine einfache Zahl mit Punkt, etwa 100 oder 0.5.',
    save: 'Speichern',
    saved: 'Gespeichert.',
    needed:
      'Sie haben festgelegt, dass Zahlungen dieser Höhe einen Passkey brauchen, und dieses Gerät signiert ohne einen. Es wurde nichts signiert. Wählen Sie unter „Sicherheit“ die Option „Passkey verwenden“.',
  },
  waiting: {
    title: 'Dieses Gerät auf einem anderen bestätigen',
    text: 'Der Schlüssel dieses Geräts gilt nach 24 Stunden, wenn kein Gerät Ihrer Wallet die Änderung abbricht. Er gilt sofort, wenn ein Gerät, das schon signiert, für ihn bürgt: Öffnen Sie auf jenem Gerät „Geräte“, wählen Sie „Anderes Gerät bestätigen“ und scannen Sie diesen Code oder fügen Sie ihn ein:',
    name: 'Bestätigungsanfrage',
    qr: 'Bestätigungsanfrage als QR-Code',
    answer: 'Antwort des anderen Geräts',
    answerHint: 'Sie beginnt mit key-answer:',
    take: 'Dieses Gerät bestätigen',
    notACode: 'Das ist kein Code, den das andere Gerät zeigt.',
    keepFormer: 'Bisherigen Schlüssel behalten',
    short: 'Dieses Gerät kann noch nicht freigeben',
    shortText:
      'Sein Schlüssel gilt nach 24 Stunden oder sobald ein anderes Gerät Ihrer Wallet für ihn bürgt. Geben Sie bis dahin dort frei; ablehnen können Sie hier.',
    link: 'Dieses Gerät bestätigen',
  },
  endorse: {
    title: 'Anderes Gerät bestätigen',
    how: 'Ein Gerät, das Ihrer Wallet beitritt, braucht die Bürgschaft eines vorhandenen. Öffnen Sie auf dem neuen Gerät „Sicherheit“; es zeigt einen Code, der mit key-request: beginnt.',
    field: 'Code des neuen Geräts',
    unknown: 'Kein Gerät dieser Wallet zeigt diesen Code.',
    question: 'Damit darf das folgende Gerät in Ihrem Namen Zahlungen freigeben und ablehnen:',
    action: 'Bestätigen',
    answer: 'Zeigen Sie dem neuen Gerät diese Antwort:',
    name: 'Antwort',
    qr: 'Antwort als QR-Code',
  },
};
