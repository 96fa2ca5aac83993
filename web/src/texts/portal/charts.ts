import { translated } from '../language.ts';

export const charts = translated('charts', {
  title: 'At a glance',
  table: 'Show as a table',
  groups: {
    confirmed: 'Reported as paid',
    underWay: 'Approved, under way',
    waiting: 'Waiting',
    rejected: 'Rejected',
    expired: 'Expired',
    failed: 'Failed',
  },
  requests: {
    title: 'Requests over time',
    byHour: 'per hour',
    byDay: 'per day',
    byWeek: 'per week',
    covers: (count: string, isAll: boolean) =>
      isAll
        ? `All ${count} requests, by the time they were made and the status they have now.`
        : `The newest ${count} requests, by the time they were made and the status they have now. Older ones are not drawn.`,
    when: 'From',
    all: 'All',
    alternative: (count: string, parts: string) => `Stacked bars of ${count} requests over time. ${parts}.`,
    none: 'As soon as an agent requests a payment, you see here how requests end.',
  },
  approval: {
    title: 'Time to decision',
    median: (time: string) => `Half of the requests were decided within ${time}.`,
    covers: (count: number) => `${count} decided requests.`,
    bands: ['under 10 s', '10–30 s', '30 s–1 min', '1–5 min', '5–30 min', '30 min–1 h', 'over 1 h'],
    within: 'Time',
    count: 'Requests',
    alternative: (parts: string) => `Bars: how many requests were decided in which time. ${parts}.`,
    none: 'No customer has decided yet.',
    underASecond: 'less than a second',
    seconds: (value: string) => `${value} s`,
    minutes: (value: string) => `${value} min`,
    hours: (value: string) => `${value} h`,
  },
  delivery: {
    title: 'Webhook deliveries',
    covers: (count: number) => `The newest ${count} attempts, without challenges.`,
    endpoint: 'Endpoint',
    delivered: 'Delivered',
    failed: 'Failed',
    waiting: 'Waiting',
    gone: 'a deleted endpoint',
    alternative: (parts: string) => `Bars: how the attempts went for each endpoint. ${parts}.`,
    none: 'Nothing was sent yet. Add a webhook endpoint to be notified of every change.',
    action: 'Webhooks',
  },
});
