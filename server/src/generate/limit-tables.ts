import { RATE_LIMITS } from '../http/limits/table.ts';
import type { Step } from '../http/pipeline/order.ts';
import { CAPS, FIXED_CAPS, REQUEST_SIZES, RETENTION, TIME_OUTS } from '../limits.ts';
import { CONTROL_PLANE_LOCKS, PAYMENT_LOCKS } from '../lock-order.ts';

/** The order of checks, step by step. */
export function stepList(steps: readonly Step[]): string {
  return steps.map(({ name, about }, at) => `${at + 1}. **${name}**: ${about}`).join('\n');
}

export function lockOrders(): string {
  const line = (locks: typeof PAYMENT_LOCKS) =>
    locks.map(({ table, order }) => `\`${table}\`${order ? ` by (${order})` : ''}`).join(', then ');
  return [`- Payments: ${line(PAYMENT_LOCKS)}.`, `- Control plane: ${line(CONTROL_PLANE_LOCKS)}.`].join('\n');
}

export function retentionTable(): string {
  return tableOf(
    ['Days', 'What'],
    Object.values(RETENTION).map(({ days, about }) => [days, about]),
  );
}

export function limitTables(): string {
  const capRows = (caps: Record<string, { count: number; per: string; about: string }>, isNamed: boolean) =>
    Object.entries(caps).map(([name, { count, per, about }]) => [
      isNamed ? `\`${name}\`` : '',
      count,
      per,
      about,
    ]);
  return [
    'How large a request may be:',
    tableOf(
      ['At most', 'What'],
      Object.values(REQUEST_SIZES).map(({ count, about }) => [count, about]),
    ),
    'How long anybody is waited for:',
    tableOf(
      ['Seconds', 'For'],
      Object.values(TIME_OUTS).map(({ s, about }) => [s, about]),
    ),
    'How much one party may have before 409 `limit_reached`. Those with a name are changed by `SVC_CAPS`:',
    tableOf(['Name', 'At most', 'Per', 'What'], [...capRows(CAPS, true), ...capRows(FIXED_CAPS, false)]),
    'How often, in any stretch of time as long as the period, before 429 `rate_limited`; changed by `SVC_RATE_LIMITS`:',
    tableOf(
      ['Name', 'Calls', 'Period in seconds', 'Per'],
      Object.entries(RATE_LIMITS).map(([name, { count, periodS, per }]) => [
        `\`${name}\``,
        count,
        periodS,
        per,
      ]),
    ),
  ].join('\n\n');
}

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => (typeof value === 'number' ? value.toLocaleString('en') : value);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}
