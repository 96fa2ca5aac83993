import type * as english from '../../portal/money.ts';
import type { Translated } from '../translated.ts';

export const money: Translated<typeof english.money> = {
  title: 'Geld',
  waiting: 'Wartet jetzt',
  waitingHint: 'Ansehen',
  rate: 'Freigabequote',
  rateOf: (approved, decided) => `${approved} von ${decided} Entscheidungen in 30 Tagen`,
  median: 'Mittlere Zeit bis zur Entscheidung',
  medianHint: 'Median, von der Anfrage bis zum Ja oder Nein',
  ended: 'Ohne Entscheidung beendet',
  endedHint: 'abgelaufen, zurückgezogen oder zurückgerufen',
  none: '–',
  underASecond: '< 1 s',
  received: 'Erhalten',
  asset: 'Asset',
  word: 'Quelle',
  periods: { today: 'Heute', week: '7 Tage', month: '30 Tage' },
  standings: {
    final: 'Von der Blockchain bestätigt',
    reported: 'Nur von Wallets gemeldet',
    disputed: 'Von der Blockchain widerlegt',
  },
  note: 'Nach der Zeit der Anfrage. Die Zeilen eines Assets werden nie zusammengezählt: Die Meldung einer Wallet ist unbestätigt, bis die Blockchain die Zahlung zeigt.',
  empty: 'Keine Zahlung in den letzten 30 Tagen. Summen erscheinen hier, sobald eine Wallet eine meldet.',
  incomplete: 'Es gab zu viele Zahlungen, um sie hier zu summieren. Gezählt ist, was angefragt wurde seit',
};
