import type * as english from '../../portal/test-request.ts';
import type { Translated } from '../translated.ts';

export const testRequestTexts: Translated<typeof english.testRequestTexts> = {
  title: 'Sich selbst eine Testanfrage senden',
  lead: 'Sie spielen den Kunden: Eine Wallet dieses Dienstes wird verbunden und um eine Zahlung in einem Testnetzwerk gebeten, und Sie sehen hier jeden Schritt. Es bewegt sich kein echtes Geld.',
  back: 'Übersicht',
  agentName: 'Test aus dem Portal',
  purpose: 'Eine Testanfrage aus dem Portal',
  noPayee: {
    title: 'Kein aktiver Zahlungsempfänger in einem Testnetzwerk',
    text: 'Ein Test braucht einen Zahlungsempfänger im Testnetzwerk. Erstellen Sie dort einen, bestätigen und aktivieren Sie ihn.',
    action: 'Zahlungsempfänger erstellen',
  },
  start: {
    title: 'Die Zahlung',
    lead: 'Diese Seite handelt für eine Anfrage als Agent. Ihr Schlüssel entsteht hier, bleibt nur in dieser Seite und wird widerrufen, sobald die Anfrage gestellt ist.',
    amount: 'Betrag',
    action: 'Test starten',
  },
  pairing: {
    title: 'Wallet verbinden',
    lead: 'Öffnen Sie die Wallet. Hat dieser Browser noch keine, wird sie dort erstellt. Geben Sie dann die Verbindung zu „Test aus dem Portal“ frei und kommen Sie auf diese Seite zurück.',
    action: 'Wallet öffnen',
    phone: 'Oder scannen Sie dies mit einem Telefon:',
    qr: 'Adresse der Wallet mit dem Kopplungscode als QR-Code',
    code: 'Kopplungscode',
    waiting: 'Warten, bis die Wallet die Verbindung freigibt …',
    closed:
      'Die Wallet hat die Verbindung abgelehnt, oder zehn Minuten sind vergangen. Es wurde nichts angefragt. Sie können neu beginnen.',
  },
  asked: {
    title: 'Die Testanfrage',
    now: {
      pending: 'Sie ist jetzt in der Wallet. Geben Sie sie dort frei oder lehnen Sie sie ab.',
      signed: 'Freigegeben und signiert. Die Zahlung ist noch nicht gesendet.',
      broadcasted: 'An das Netzwerk gesendet. Sie ist noch nicht bestätigt.',
      confirmed: 'Die Wallet meldet sie als gezahlt. Alles funktioniert.',
      rejected: 'In der Wallet abgelehnt. Ein Agent erfährt das sofort.',
      failed: 'Die Zahlung ist im Netzwerk fehlgeschlagen.',
      expired: 'Es wurde nicht rechtzeitig entschieden.',
    },
    again: 'Noch einmal testen',
    details: 'Alles über diese Anfrage',
  },
};
