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
    text: 'Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.',
    action: 'Zur Übersicht',
  },
  nameFaults: {
    line_end: 'Schreiben Sie den Namen in eine Zeile.',
    link: 'Lassen Sie „://“ und „www.“ weg. Eine bloße Domain ist möglich.',
    at_sign: 'Lassen Sie „@“ weg.',
    claimed_domain:
      'Lassen Sie „verified“ oder „official“ neben einer Domain weg. Wallets zeigen die Domain, die Sie nachgewiesen haben.',
  },
  footer:
    'PayAssent fragt nie nach einem Schlüssel oder einer Wiederherstellungsphrase, an denen Geld hängt, und nie nach einem Passwort.',
  reference: 'API-Referenz',
  waiting: 'warten auf Sie',
  otherRole: {
    title: 'Ihre Rolle erlaubt das nicht',
    text: 'Ein Inhaber Ihrer Organisation kann das tun oder unter „Team“ Ihre Rolle ändern.',
  },
  pendingMerchant: {
    title: 'Weisen Sie zuerst eine Domain nach',
    text: 'Ihre Organisation ist noch nicht aktiv. Bevor eine ihrer Domains nachgewiesen ist, kann hier nichts anderes erstellt werden.',
    action: 'Domain nachweisen',
  },
};
