import type * as english from '../../wallet/ringing.ts';
import type { Translated } from '../translated.ts';

export const ringing: Translated<typeof english.ringing> = {
  title: 'Auf diesem Gerät benachrichtigen',
  lead: 'Erfahren Sie, wenn etwas auf Sie wartet, auch wenn diese Seite geschlossen ist. Die Nachricht sagt, welche Art von Sache wartet und wie viele, sonst nichts: keinen Namen, keinen Betrag. Sie ist für diesen Browser verschlüsselt.',
  action: 'Benachrichtigungen einschalten',
  stop: 'Benachrichtigungen ausschalten',
  on: 'Dieses Gerät meldet sich, wenn etwas wartet.',
  off: 'Dieses Gerät meldet sich nicht.',
  denied:
    'Dieser Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in den Einstellungen des Browsers und versuchen Sie es erneut.',
  failed: 'Der Push-Dienst dieses Browsers ist nicht erreichbar. Versuchen Sie es später erneut.',
  unsupported:
    'Dieser Browser kann nicht benachrichtigt werden. Fügen Sie die Wallet auf einem iPhone oder iPad zum Home-Bildschirm hinzu und öffnen Sie sie von dort.',
  sound: 'Einen Ton abspielen, solange die Wallet geöffnet ist',
};
