import type * as english from '../../portal/sign-in.ts';
import type { Translated } from '../translated.ts';

export const signInTexts: Translated<typeof english.signInTexts> = {
  request: {
    title: 'Im Portal anmelden',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein, und wir senden Ihnen einen Link. Er funktioniert einmal, 15 Minuten lang, für eine neue Organisation ebenso wie für eine vorhandene. Es gibt kein Passwort.',
    email: 'E-Mail-Adresse',
    emailHint: 'Ob die Adresse hier bekannt ist, wird nie angezeigt, nur per E-Mail mitgeteilt.',
    send: 'Link senden',
    sending: 'Wird gesendet …',
  },
  passkey: {
    action: 'Mit einem Passkey anmelden',
    none: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder fordern Sie oben einen Link an.',
  },
  notes: {
    ended: {
      title: 'Ihre Sitzung ist beendet.',
      text: 'Sie endet nach 30 Minuten ohne Nutzung und spätestens nach 12 Stunden, oder wenn ein Inhaber Sie abmeldet. Was Sie gespeichert hatten, ist erhalten. Fordern Sie einen neuen Link an, um fortzufahren.',
    },
    'signed-out': {
      title: 'Sie sind abgemeldet.',
      text: 'Fordern Sie einen neuen Link an, wenn Sie wiederkommen möchten.',
    },
    'signed-out-everywhere': {
      title: 'Sie sind überall abgemeldet.',
      text: 'Alle Ihre Sitzungen sind beendet, in allen Browsern. Fordern Sie einen neuen Link an, wenn Sie wiederkommen möchten.',
    },
    linkInvalid: {
      title: 'Dieser Link funktioniert nicht mehr.',
      text: 'Er wurde schon verwendet, ist älter als 15 Minuten, oder ein neuerer wurde verwendet. Fordern Sie unten einen neuen an; es ist nichts verloren.',
    },
    grantInvalid: {
      title: 'Ihre Bestätigung ist abgelaufen.',
      text: 'Sie ist älter als zehn Minuten oder wurde schon verwendet. Wenn Sie gerade eine Organisation erstellt hatten, ist sie erhalten: Öffnen Sie einen neuen Link und wählen Sie sie.',
    },
    interrupted: {
      title: 'Diese Seite wurde ohne Link geöffnet oder neu geladen.',
      text: 'Zu Ihrer Sicherheit wird der Link nirgends aufbewahrt. Wenn Sie mitten in der Einrichtung waren, fordern Sie einen neuen Link an: Eine Organisation, die Sie erstellt hatten, ist erhalten, und Sie machen dort weiter, wo Sie aufgehört haben.',
    },
  },
  sent: {
    title: 'Prüfen Sie Ihr Postfach',
    text: 'Wenn diese Adresse E-Mails empfängt, ist ein Link dorthin unterwegs:',
    hint: 'Es dauert meist weniger als eine Minute. Sehen Sie auch im Spam-Ordner nach. Eine Adresse erhält höchstens fünf Links pro Stunde: Kommt keiner, versuchen Sie es in einer Stunde wieder. Öffnen Sie den Link möglichst in diesem Browser; diese Seite geht dann automatisch weiter.',
    exhausted: (count, time) =>
      `Für diese Adresse wurden hier mehr als ${count} Links in einer Stunde angefragt; der letzte wird nicht gesendet. Nutzen Sie den neuesten, der angekommen ist, oder fragen Sie nach ${time} einen an.`,
    again: 'Andere Adresse verwenden',
    resend: 'Weiteren Link senden',
  },
  confirm: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Sie haben den Link aus unserer E-Mail geöffnet. Er ist noch nicht verwendet: Das geschieht, wenn Sie auf die Schaltfläche drücken.',
    hint: 'Danach funktioniert weder dieser Link noch ein älterer.',
    action: 'Weiter',
    notYou: 'Sie haben den Link nicht angefordert? Schließen Sie diese Seite; es wurde nichts geändert.',
  },
  cancelPasskey: {
    title: 'Passkey abbrechen',
    lead: 'Ein Mitglied Ihres Teams hat seinen ersten Passkey registriert. Sie haben den Link geöffnet, der ihn abbricht; noch ist nichts geschehen.',
    hint: 'Fragen Sie das Teammitglied auf einem anderen Weg als per E-Mail, ob es das selbst war. Wenn nicht, brechen Sie ab: Der Passkey wird entfernt, und alle Sitzungen des Teammitglieds enden. Es kann sich wieder per E-Mail anmelden.',
    action: 'Passkey abbrechen',
    done: 'Der Passkey ist entfernt.',
    doneNext:
      'Alle Sitzungen des Teammitglieds sind beendet, und alle Inhaber erhalten eine E-Mail. Wenn ein Fremder das war, kann er das Postfach des Teammitglieds lesen: Lassen Sie dessen Passwort ändern.',
    noLink:
      'Diese Seite wurde ohne Link geöffnet oder neu geladen. Öffnen Sie den Link in der E-Mail noch einmal.',
    toPortal: 'Zum Portal',
  },
  choose: {
    title: 'Welche Organisation?',
    lead: 'Ihre E-Mail-Adresse ist bestätigt. Wählen Sie innerhalb von zehn Minuten, wo Sie sich anmelden.',
    active: 'Aktiv',
    pending: 'Einrichtung nicht abgeschlossen',
    another: 'Weitere Organisation erstellen',
  },
  found: {
    title: 'Organisation erstellen',
    lead: 'Ihre E-Mail-Adresse ist bestätigt. Kunden sehen diesen Namen in ihren Wallets, mit der Domain, die Sie als Nächstes nachweisen.',
    name: 'Name der Organisation',
    nameHint: 'Er kann später geändert werden.',
    action: 'Erstellen und anmelden',
    back: 'Zurück zu meinen Organisationen',
  },
  halfway: {
    title: 'Ihre Organisation ist erstellt',
    lead: 'Nur die Anmeldung hat noch nicht geklappt. Versuchen Sie es erneut; die Organisation bleibt auf jeden Fall.',
    action: 'Anmelden',
  },
};
