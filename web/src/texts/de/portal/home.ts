import type * as english from '../../portal/home.ts';
import type { Translated } from '../translated.ts';

export const homeTexts: Translated<typeof english.homeTexts> = {
  title: 'Übersicht',
  setup: {
    title: 'Bereit für Zahlungen werden',
    lead: 'Vier Schritte, jeder nur einmal. Danach können Ihre Agenten Ihre Kunden um Zahlungen bitten, und ohne deren Freigabe geschieht nichts.',
    ready: 'Alles ist eingerichtet: Ihre Agenten können um Zahlungen bitten.',
    done: 'Erledigt',
    next: 'Als Nächstes',
    later: 'Später',
    steps: {
      domain: {
        title: 'Domain nachweisen',
        text: 'Wallets zeigen sie neben Ihrem Namen, damit Kunden wissen, wer anfragt. Der erste Nachweis macht Ihre Organisation aktiv.',
        action: 'Zu den Domains',
      },
      recipient: {
        title: 'Festlegen, wohin Zahlungen gehen',
        text: 'Ein Zahlungsempfänger ist ein Name mit einer Adresse in einem Netzwerk. Er wird mit Ihrer Domain bestätigt und dann aktiviert.',
        action: 'Zu den Zahlungsempfängern',
      },
      agent: {
        title: 'Agenten registrieren',
        text: 'Das Programm, das um Zahlungen bittet. Sein Schlüssel entsteht in Ihrem Browser; nur die öffentliche Hälfte verlässt ihn.',
        action: 'Zu den Agenten',
      },
      test: {
        title: 'Sich selbst eine Testanfrage senden',
        text: 'Verbinden Sie eine eigene Wallet, bitten Sie sie um eine Zahlung in einem Testnetzwerk und sehen Sie den ganzen Weg.',
        action: 'Testanfrage senden',
      },
    },
  },
};
