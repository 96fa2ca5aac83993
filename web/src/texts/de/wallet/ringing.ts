import type * as english from '../../wallet/ringing.ts';
import type { Translated } from '../translated.ts';

export const ringing: Translated<typeof english.ringing> = {
  title: 'Auf diesem Gerät benachrichtigen',
  lead: 'Erhalten Sie eine Benachrichtigung über offene Anfragen, auch wenn diese Seite geschlossen ist. Sie enthält Art und Anzahl, keinen Namen, keinen Betrag, und ist für diesen Browser verschlüsselt.',
  action: 'Benachrichtigungen einschalten',
  stop: 'Benachrichtigungen ausschalten',
  on: 'Dieses Gerät wird über offene Anfragen benachrichtigt.',
  off: 'Dieses Gerät wird nicht benachrichtigt.',
  denied:
    'Dieser Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in den Einstellungen des Browsers und versuchen Sie es erneut.',
  failed: 'Der Push-Dienst dieses Browsers ist nicht erreichbar. Versuchen Sie es später erneut.',
  unsupported:
    'Dieser Browser kann nicht benachrichtigt werden. Fügen Sie die Wallet auf einem iPhone oder iPad zum Home-Bildschirm hinzu und öffnen Sie sie von dort.',
  sound: 'Einen Ton abspielen, solange die Wallet geöffnet ist',
};
