import type * as english from '../../portal/charts.ts';
import type { Translated } from '../translated.ts';

export const charts: Translated<typeof english.charts> = {
  title: 'Auf einen Blick',
  table: 'Dasselbe als Tabelle',
  groups: {
    confirmed: 'Als gezahlt gemeldet',
    underWay: 'Freigegeben, unterwegs',
    waiting: 'Wartet',
    rejected: 'Abgelehnt',
    expired: 'Abgelaufen',
    failed: 'Fehlgeschlagen',
  },
  requests: {
    title: 'Anfragen im Zeitverlauf',
    byHour: 'pro Stunde',
    byDay: 'pro Tag',
    byWeek: 'pro Woche',
    covers: (count, isAll) =>
      isAll
        ? `Alle ${count} Anfragen, nach der Zeit, zu der sie gestellt wurden, und ihrem jetzigen Stand.`
        : `Die neuesten ${count} Anfragen, nach der Zeit, zu der sie gestellt wurden, und ihrem jetzigen Stand. Ältere sind nicht eingezeichnet.`,
    when: 'Ab',
    all: 'Alle',
    alternative: (count, parts) => `Gestapelte Balken von ${count} Anfragen im Zeitverlauf. ${parts}.`,
    none: 'Sobald ein Agent um eine Zahlung bittet, sehen Sie hier, wie die Anfragen enden.',
  },
  approval: {
    title: 'Zeit bis zur Entscheidung',
    median: (time) => `Die Hälfte der Anfragen wurde innerhalb von ${time} entschieden.`,
    covers: (count) => `${count} entschiedene Anfragen.`,
    bands: ['unter 10 s', '10–30 s', '30 s–1 min', '1–5 min', '5–30 min', '30 min–1 h', 'über 1 h'],
    within: 'Zeit',
    count: 'Anfragen',
    alternative: (parts) => `Balken: wie viele Anfragen in welcher Zeit entschieden wurden. ${parts}.`,
    none: 'Noch hat kein Kunde entschieden.',
    underASecond: 'weniger als einer Sekunde',
    seconds: (value) => `${value} s`,
    minutes: (value) => `${value} min`,
    hours: (value) => `${value} h`,
  },
  delivery: {
    title: 'Webhook-Zustellungen',
    covers: (count) => `Die neuesten ${count} Versuche, ohne Challenges.`,
    endpoint: 'Endpunkt',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    waiting: 'Wartet',
    gone: 'ein gelöschter Endpunkt',
    alternative: (parts) => `Balken: wie die Versuche für jeden Endpunkt verliefen. ${parts}.`,
    none: 'Noch wurde nichts gesendet. Fügen Sie einen Webhook-Endpunkt hinzu, um sofort von jeder Änderung zu erfahren.',
    action: 'Webhooks',
  },
};
