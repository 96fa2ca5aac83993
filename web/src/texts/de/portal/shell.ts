import type * as english from '../../portal/shell.ts';
import type { Translated } from '../translated.ts';

export const shellTexts: Translated<typeof english.shellTexts> = {
  skip: 'Zum Inhalt springen',
  navigation: 'Bereiche des Portals',
  menu: 'Menü',
  signOut: 'Abmelden',
  unreachableTitle: 'Der Dienst ist nicht erreichbar',
  pending: 'Einrichtung nicht abgeschlossen',
  notFound: {
    title: 'Diese Seite gibt es nicht',
    body: 'Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.',
    action: 'Zur Übersicht',
  },
  fixFields:
    'Es wurde nichts gespeichert. Korrigieren Sie die markierten Felder und versuchen Sie es erneut.',
  footer:
    'PayAssent fragt nie nach einem Wallet-Schlüssel, einer Wiederherstellungsphrase oder einem Passwort.',
  reference: 'API-Referenz',
  otherRole: {
    title: 'Ihre Rolle erlaubt das nicht',
    body: 'Bitten Sie einen Inhaber Ihrer Organisation, es zu tun oder unter „Team“ Ihre Rolle zu ändern.',
  },
  pendingMerchant: {
    title: 'Weisen Sie zuerst eine Domain nach',
    body: 'Ihre Organisation ist noch nicht aktiv. Bevor eine ihrer Domains nachgewiesen ist, kann hier nichts anderes erstellt werden.',
    action: 'Domain nachweisen',
  },
};
